import { vi } from 'vitest';
import { z } from 'zod';
import { paymentState } from '../../../src/contract/state.js';
import type { PaymentState } from '../../../src/contract/state.js';
import { waiting, waitingLong } from '../../support/waiting.js';

export type Answer = { readonly status: number; readonly body: unknown };

const longestWaitSeconds = 20;
const overloaded = z.object({ type: z.literal('urn:durable-payments:problem:overloaded') });

/** An order-management service that knows a gateway's address and key. */
export type Oms = {
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  state(path: string): Promise<PaymentState>;
  /** Reads, and waits in the gateway, until the payment has one of the statuses. */
  until(path: string, ...statuses: string[]): Promise<PaymentState>;
};

export function createOms(gatewayUrl: string, apiKey: string): Oms {
  const call = async (method: string, path: string, headers: object = {}, body?: object): Promise<Answer> => {
    const answer = await fetch(gatewayUrl + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: z.unknown().parse(await answer.json()) };
  };
  /** 503 means to repeat a read: no worker answered it, as when the one that was about to was killed. */
  const answered = (path: string, headers?: object): Promise<Answer> =>
    vi.waitUntil(async () => {
      const answer = await call('GET', path, headers);
      return answer.status !== 503 && answer;
    }, waiting);
  const stateFrom = ({ status, body }: Answer): PaymentState => {
    if (status !== 200) throw new Error(`answered ${String(status)}: ${JSON.stringify(body)}`);
    return paymentState.parse(body);
  };
  return {
    // Overloaded, it has done nothing, and asks for the same again.
    post: (path, body, headers) =>
      vi.waitUntil(async () => {
        const answer = await call('POST', path, headers, body);
        return !overloaded.safeParse(answer.body).success && answer;
      }, waiting),
    get: (path) => call('GET', path),
    state: async (path) => stateFrom(await answered(path)),
    until: (path, ...statuses) => {
      const prefer = { prefer: `wait=${String(longestWaitSeconds)}` };
      let last: PaymentState | undefined;
      const reached = vi.waitUntil(async () => {
        last = stateFrom(await answered(`${path}?until=${statuses.join(',')}`, prefer));
        return statuses.includes(last.status) && last;
      }, waitingLong);
      return reached.catch((cause: unknown) => {
        const what = `${path} did not become ${statuses.join(' or ')}: ${JSON.stringify(last)}`;
        throw new Error(what, { cause });
      });
    },
  };
}

/**
 * Words that must never be readable outside of memory; the tests put them into every payment. Long ones: ciphertext in
 * base64 has any word of three letters now and then.
 */
export const secrets = {
  number: '4111111111111111',
  cvv: '9137',
  document: '52998224725',
  name: 'Anastacia',
  email: 'quiet.customer.7731@example.com',
  pix: 'quiet.payee.4409@example.com',
} as const;

export function cardOrder(partnerCode: string, { description = 'Two tickets', value = 150 } = {}) {
  return {
    order: { partner_code: partnerCode, value, description },
    customer: {
      name: `${secrets.name} Lima`,
      email: secrets.email,
      phone: '+5511987654321',
      document: secrets.document,
    },
    credit_card: {
      holder: 'ANA LIMA',
      number: secrets.number,
      cvv: secrets.cvv,
      due_date: `12/${String(new Date().getFullYear() + 1)}`,
      brand: 'visa',
    },
  };
}

export function checkout(partnerCode: string) {
  const { customer, order } = cardOrder(partnerCode);
  return { order: { ...order, redirect_url: 'https://shop.example/thanks' }, customer };
}

export function pixPayout(partnerCode: string, { pix = String(secrets.pix), value = 25 } = {}) {
  return {
    partner_code: partnerCode,
    ...{ value, pix },
    ...{ first_name: secrets.name, last_name: 'Lima', document: secrets.document },
  };
}
