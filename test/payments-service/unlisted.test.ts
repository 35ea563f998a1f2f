import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import type { AfterThrottling } from '../../src/domain/outcome-classes.js';
import { measuredService } from '../../src/metrics/measured-service.js';
import type { PaymentsService } from '../../src/payments-service/payments-service.js';
import { answers, startRawServer, type Behaviour } from './raw-server.js';
import { call, card, cardOrder, serviceAt } from './support.js';

const { order, customer } = cardOrder;
const validation = { partner_code: 'check-1', notification_url: 'https://oms.example/postbacks/x' };
const credentials = { callback: 'pares=abc', eci: '05' };

/** The calls that create what no list shows, and their endpoints. */
const calls: [string, string, (service: PaymentsService) => Promise<unknown>][] = [
  ['a card order', 'POST /v1/order', (service) => service.createCardOrder(cardOrder, call)],
  ['a checkout', 'POST /v1/checkout', (service) => service.createCheckout({ order, customer }, call)],
  [
    'a 3D Secure order',
    'POST /v1/3ds/order',
    (service) => service.createThreeDSecureOrder({ order, customer }, call),
  ],
  [
    'a 3D Secure completion',
    'PUT /v1/3ds/order/{id}',
    (service) => service.completeThreeDSecureOrder('7', { credit_card: card, credentials }, call),
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
const taken = '{"error":"partner_code has already been taken"}';
const firewall = answers(403, '<html><body>Request blocked.</body></html>', { 'content-type': 'text/html' });

describe.for(calls)('%s', ([, endpoint, send]) => {
  const sentTo = async (creating: Behaviour, reading = noSuchOrder, after429?: AfterThrottling) => {
    const server = await startRawServer(answersBoth(creating, reading));
    const result = await send(serviceAt(server.url, {}, after429));
    return { result, requests: server.requests };
  };

  test.for([
    ['403', answers(403)],
    ["403 by a firewall's page", firewall],
    ['422 whose words say that there is one', answers(422, taken)],
    ['409', answers(409)],
  ] as const)('that is answered %s has an unknown outcome', async ([, creating]) => {
    const { result, requests } = await sentTo(creating);
    expect(result).toMatchObject({ outcome: 'unknown' });
    expect(requests).toHaveLength(1);
  });

  test.for([
    ['is answered 404', noSuchOrder],
    ['is answered 403', answers(403)],
    ['is answered 429', answers(429)],
    ['gets no answer', (socket: { destroy: () => void }) => void socket.destroy()],
    ['of an order is answered 401, and the list of payouts is shown', ordersAreDenied],
    ['of the list of payouts is answered 401, and no order is found', payoutsAreDenied],
  ] as const)(
    'that is answered 401, when a read with the same token %s, has an unknown outcome',
    async ([, read]) => {
      const { result, requests } = await sentTo(answers(401), read);
      expect(result).toMatchObject({
        outcome: 'unknown',
        reason: expect.stringMatching(/^The service answered 401\. .*no proof/) as unknown,
      });
      const tokens = requests.map((request) => /authorization: (.*)\r/i.exec(request)?.[1]);
      expect(new Set(tokens)).toEqual(new Set([`Bearer ${call.token}`]));
    },
  );

  test('that is answered 401, as the reads with the same token are, may be sent again with another', async () => {
    const { result } = await sentTo(answers(401), answers(401));
    expect(result).toMatchObject({ outcome: 'unauthorized', httpStatus: 401 });
  });

  test.for([
    [undefined, 'throttled'],
    ['send_again', 'throttled'],
    ['unknown', 'unknown'],
  ] as const)('that is answered 429 while ORDERS_AFTER_429 is %s is %s', async ([after429, outcome]) => {
    const { result } = await sentTo(answers(429), noSuchOrder, after429);
    expect(result).toMatchObject({ outcome });
  });

  test.for([
    ['send_again', 'throttled'],
    ['unknown', 'unknown'],
  ] as const)(
    'that is answered 429 while ORDERS_AFTER_429 is %s is counted as %s',
    async ([after429, outcome]) => {
      const server = await startRawServer(answers(429));
      const registry = new Registry();
      await send(measuredService(serviceAt(server.url, {}, after429), registry));
      const counted = await registry.getSingleMetric('durable_payments_service_calls_total')?.get();
      expect(counted?.values).toMatchObject([{ value: 1, labels: { endpoint, outcome } }]);
    },
  );
});

test('a payout and a refund that are answered 401 or 403 are looked up elsewhere: no read confirms the answer', async () => {
  for (const status of [401, 403]) {
    const server = await startRawServer(answers(status));
    const service = serviceAt(server.url);
    expect(await service.requestRefund('7', call)).toMatchObject({ outcome: 'unauthorized' });
    expect(server.requests).toHaveLength(1);
  }
});
