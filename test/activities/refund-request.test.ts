import { expect, test, vi } from 'vitest';
import { requestRefund } from '../../activities/request-refund.js';
import { beforeSending } from '../../src/domain/call-limits.js';
import { response, type Behaviour } from '../payments-service/raw-server.js';
import {
  dispatched,
  refundRequest,
  sendOnceInput,
  workflowId,
  type Given,
  type TestDeps,
} from './support.js';

const id = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
const partner_code = 'order-1';
const asked = {
  ...refundRequest,
  input: { partner_code, service_id: id, value: 19.9 },
  right_centavos: [1_990],
};
const order = { id, partner_code, status: 'paid', value: 19.9 };

/** A service that shows the order so, and takes the request. */
const shows =
  (status: number, body: object): Behaviour =>
  (socket, request) => {
    const isRead = request.startsWith('GET ');
    const answer = isRead ? body : { id, status: 'refund_processing' };
    socket.write(response(isRead ? status : 200, JSON.stringify(answer)));
  };

const requestsOf = ({ requests }: { readonly requests: readonly string[] }) =>
  requests.map((request) => request.split(' HTTP')[0]);
const [read, request] = [`GET /v1/order/${id}`, `PUT /v1/order/${id}/refund`];

test.for<[string, object, string | null]>([
  ['as paid', {}, null],
  ['as compensated', { status: 'compensated' }, null],
  ['with the failure of an earlier request', { status: 'refund_failed' }, 'refund_failed'],
  ['in capitals', { id: id.toUpperCase() }, null],
])(
  'a refund is requested of an order that is shown %s, right after that',
  async ([, shown, previous_failure]) => {
    const service = shows(200, { ...order, ...shown });
    const { outcome, server } = await dispatched(
      requestRefund,
      { ...sendOnceInput, ...asked, previous_failure },
      { service },
    );
    expect(requestsOf(server)).toEqual([read, request]);
    expect(outcome).toMatchObject({ outcome: 'answered', order: { read: { kind: 'read' } } });
  },
);

test.for([
  ['refunded', 200, { status: 'refunded' }, 'read'],
  ['under way', 200, { status: 'refund_processing' }, 'read'],
  ['failed, which is new', 200, { status: 'refund_failed' }, 'read'],
  ['charged back', 200, { status: 'chargeback' }, 'read'],
  ['not charged', 200, { status: 'waiting_payment' }, 'read'],
  ['in a word that nobody knows', 200, { status: 'refunding' }, 'read'],
  ['without a status', 200, { status: undefined }, 'read'],
  ['as another one', 200, { id: '8' }, 'read'],
  ['with another value', 200, { value: 20 }, 'read'],
  ['with another code', 200, { partner_code: 'order-2' }, 'read'],
  ['not at all', 404, {}, 'not_found'],
  ['by no answer of use', 503, {}, 'unreadable'],
] as const)('no refund is requested of an order that is shown %s', async ([, status, shown, kind]) => {
  const service = shows(status, { ...order, ...shown });
  const { outcome, server } = await dispatched(requestRefund, { ...sendOnceInput, ...asked }, { service });
  expect(requestsOf(server)).toEqual([read]);
  expect(outcome).toMatchObject({ outcome: 'not_sent', order: { read: { kind } } });
});

const worth = (orderOf: TestDeps['orderOf']): Given => ({
  worker: (deps) => Object.assign(deps, { orderOf }),
});
const another = () => Promise.resolve({ serviceId: id.toUpperCase(), value: 5 });
const noAnswer = () => Promise.reject(new Error('secret'));
const reset: Given = { info: { workflowExecution: { workflowId, runId: 'another-run' } } };

test.for<[string, object, Given, string, string]>([
  ['without an identifier', { partner_code }, {}, 'invalid_input', 'service_id'],
  ['of another value than its order', asked.input, worth(another), 'invalid_input', 'value'],
  ['whose order Temporal does not show', asked.input, worth(noAnswer), 'not_sent', 'Temporal did not'],
  ['in a run that is a reset', asked.input, reset, 'unknown', 'is a reset'],
])('a refund %s is neither read nor requested', async ([, input, given, expected, words]) => {
  const { outcome, server } = await dispatched(requestRefund, { ...sendOnceInput, ...asked, input }, given);
  expect(server.requests).toEqual([]);
  expect(outcome.outcome).toBe(expected);
  expect(JSON.stringify(outcome)).toContain(words);
});

test('a read that takes longer than the time before a send may is given up, and nothing is requested', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const worker = ({ service }: TestDeps) => {
    service.readOrder = () => {
      vi.advanceTimersByTime(beforeSending.readMs);
      return new Promise(() => undefined);
    };
  };
  const { outcome, server } = await dispatched(requestRefund, { ...sendOnceInput, ...asked }, { worker });
  expect(server.requests).toEqual([]);
  expect(outcome).toMatchObject({ outcome: 'not_sent', order: { read: { kind: 'unreadable' } } });
});
