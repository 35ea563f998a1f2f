import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { measuredService } from '../../src/metrics/measured-service.js';
import type { PaymentsService } from '../../src/payments-service/payments-service.js';
import { answers, startRawServer, type Behaviour } from './raw-server.js';
import {
  call,
  cardOrder,
  checkout,
  completion,
  refunded,
  resultOf,
  serviceAt,
  validation,
} from './support.js';

/** The calls that create what no list shows, and their endpoints. */
const calls: [string, string, (service: PaymentsService) => Promise<unknown>][] = [
  ['a card order', 'POST /v1/order', (service) => service.createCardOrder(cardOrder, call)],
  ['a checkout', 'POST /v1/checkout', (service) => service.createCheckout(checkout, call)],
  ['a 3D Secure order', 'POST /v1/3ds/order', (service) => service.createThreeDSecureOrder(checkout, call)],
  [
    'a 3D Secure completion',
    'PUT /v1/3ds/order/{id}',
    (service) => service.completeThreeDSecureOrder('7', completion, call),
  ],
  ['a validation', 'POST /v1/account/validate', (service) => service.validateAccount(validation, call)],
];

/** Answers what creates by the one, what reads by the other. */
const answersBoth =
  (creating: Behaviour, reading: Behaviour): Behaviour =>
  (socket, request) => {
    (request.startsWith('GET') ? reading : creating)(socket, request);
  };

const noSuchOrder = answers(404, '{"error":"no such order"}');
const isOfPayouts = (request: string) => request.startsWith('GET /v1/payouts');
const ordersAreDenied: Behaviour = (socket, request) => {
  (isOfPayouts(request) ? answers(200, '{"payouts":[]}') : answers(401))(socket, request);
};
const payoutsAreDenied: Behaviour = (socket, request) => {
  (isOfPayouts(request) ? answers(401) : noSuchOrder)(socket, request);
};

describe.for(calls)('%s', ([, endpoint, send]) => {
  const deniedBefore = (reading: Behaviour) => resultOf(answersBoth(answers(401), reading), send);

  test.for([
    ['is answered 404', noSuchOrder],
    ['is answered 403', answers(403)],
    ['is answered 429', answers(429)],
    ['gets no answer', (socket: { destroy: () => void }) => void socket.destroy()],
    ['of an order is answered 401, and the list of payouts is shown', ordersAreDenied],
    ['of the list of payouts is answered 401, and no order is found', payoutsAreDenied],
  ] as const)('that is answered 401, and whose read %s, has an unknown outcome', async ([, read]) => {
    const { result, server } = await deniedBefore(read);
    expect(result).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/^The service answered 401\. .*no proof/) as unknown,
    });
    const tokens = server.requests.map((request) => /authorization: (.*)\r/i.exec(request)?.[1]);
    expect(new Set(tokens)).toEqual(new Set([`Bearer ${call.token}`]));
  });

  test('that is answered 401, as the reads with the same token are, may be sent again with another', async () => {
    const { result } = await deniedBefore(answers(401));
    expect(result).toMatchObject({ outcome: 'unauthorized', httpStatus: 401 });
  });

  test.for([
    [undefined, 'throttled'],
    ['send_again', 'throttled'],
    ['unknown', 'unknown'],
  ] as const)(
    'that is answered 429 with ORDERS_AFTER_429=%s is, and is counted as, %s',
    async ([after429, outcome]) => {
      const server = await startRawServer(answersBoth(answers(429), noSuchOrder));
      const registry = new Registry();
      const service = measuredService(serviceAt(server.url, {}, after429), registry);
      expect(await send(service)).toMatchObject({ outcome });
      const counted = await registry.getSingleMetric('durable_payments_service_calls_total')?.get();
      expect(counted?.values).toMatchObject([{ value: 1, labels: { endpoint, outcome } }]);
    },
  );
});

test.each([401, 403])(
  'no read confirms the answer %i to a refund, which is looked up elsewhere',
  async (status) => {
    const { result, server } = await resultOf(answers(status), refunded);
    expect(result).toMatchObject({ outcome: 'unauthorized' });
    expect(server.requests).toHaveLength(1);
  },
);
