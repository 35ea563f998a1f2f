import { onTestFinished } from 'vitest';
import type { AfterThrottling } from '../../src/domain/outcome-classes.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import type { CallLimits } from '../../src/payments-service/limits.js';
import type { CreatingCall, PaymentsService } from '../../src/payments-service/payments-service.js';
import { cardOrder as cardOrderOf, testCard as card } from '../support/requests.js';
import { startRawServer, type Behaviour } from './raw-server.js';

/** Client and server share an event loop that other work may hold: only what a test is about ends soon. */
const patientLimits: CallLimits = {
  connectMs: 60_000,
  headersMs: 60_000,
  bodyMs: 60_000,
  totalMs: 120_000,
  maxAnswerBytes: 65_536,
};

export function serviceAt(
  baseUrl: string,
  limits: Partial<CallLimits> = {},
  after429?: AfterThrottling,
): PaymentsService {
  const service = createPaymentsService({
    baseUrl,
    clientId: 'client-1',
    clientSecret: 'secret-of-client-1',
    limits: { ...patientLimits, ...limits },
    after429,
  });
  onTestFinished(() => service.close());
  return service;
}

/** What a call comes to before a server that behaves so, and what the server has got. */
export async function resultOf<Result>(
  behave: Behaviour,
  make: (service: PaymentsService) => Promise<Result>,
  limits: Partial<CallLimits> = {},
) {
  const server = await startRawServer(behave);
  return { server, result: await make(serviceAt(server.url, limits)) };
}

export const call: CreatingCall = { token: 'token-1-abcdefgh', tokenIsNew: false, refusal: () => undefined };

export const pixPayout = {
  partner_code: 'salary-1',
  value: 19.9,
  notification_url: 'https://oms.example/postbacks/x',
  pix: 'someone@example.com',
};

const { customer, order } = cardOrderOf('order-1');
export const checkout = {
  order: { ...order, notification_url: 'https://oms.example/postbacks/x' },
  customer,
};
export const cardOrder = { ...checkout, credit_card: card };
export const completion = { credit_card: card, credentials: { callback: 'pares=abc', eci: '05' } };
export const validation = { partner_code: 'check-1', notification_url: 'https://oms.example/postbacks/x' };

/** Calls that tests make by their names alone. */
export const paid = (service: PaymentsService) => service.createPixPayout(pixPayout, call);
export const refunded = (service: PaymentsService) => service.requestRefund('1', call);
