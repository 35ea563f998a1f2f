import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { describe, expect } from 'vitest';
import type { PostbackReceived } from '../../src/contract/messages.js';
import { postbackCapability } from '../../src/contract/postback-capability.js';
import { testsOf } from '../support/gateway-without-temporal.js';
import { freshCode } from '../support/requests.js';
import { operatorKey, postbackKey } from './call.js';
import { pan } from './requests.js';

const oldKey = Buffer.alloc(32, 9);

type Signal = { workflowExecution: { workflowId: string }; input: { payloads: [{ data: Uint8Array }] } };

/** A Temporal in which all payments are there but those that have ended, and each order has the identifier 7. */
function temporal() {
  const ended = new Set<string>();
  /** What was signalled: to whom, the content type, and the body. */
  const signalled: [workflowId: string, type: string | null, body: string][] = [];
  const gone = Object.assign(new Error('gone'), { code: 5, details: '', metadata: new Map() });
  const serviceId = {
    ...defaultPayloadConverter.toPayload('7'),
    metadata: { encoding: Buffer.from('json/plain'), type: Buffer.from('Keyword') },
  };
  const calls = {
    signalWorkflowExecution: ({ workflowExecution: { workflowId }, input }: Signal) => {
      if (ended.has(workflowId)) return Promise.reject(gone);
      const hint = defaultPayloadConverter.fromPayload<PostbackReceived>(input.payloads[0]);
      signalled.push([workflowId, hint.content_type, hint.body]);
      return Promise.resolve({});
    },
    describeWorkflowExecution: ({ execution }: { execution: object }) =>
      Promise.resolve({
        workflowExecutionInfo: {
          ...{ execution, startTime: msToTs(1), type: { name: 'cardOrder' }, status: 2 },
          historyLength: { toNumber: () => 4 },
          searchAttributes: { indexedFields: { PaymentServiceId: serviceId } },
        },
      }),
  };
  return { calls, ended, signalled };
}
const everything = temporal();

const pathOf = (workflowId: string, key: Buffer = postbackKey) =>
  `/postbacks/${postbackCapability([key], workflowId)}`;

const test = testsOf({ postbackKeys: [postbackKey, oldKey] }, everything.calls)
  .extend('payout', () => `payout-${freshCode()}`)
  .extend('order', () => `order-${freshCode()}`)
  .extend('temporal', () => {
    everything.ended.clear();
    everything.signalled.length = 0;
    return everything;
  })
  /** Posts as the service does; answers the status. */
  .extend('post', ({ gateway: { call } }) => async (path: string, raw = '{}', type?: string) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    return (await call('POST', path, { key: null, raw, headers })).status;
  });

describe('a postback', () => {
  test.for(['application/x-www-form-urlencoded', 'text/xml; charset="x', 'nonsense', '', undefined])(
    'of the content type %o is given to its payment before it is answered',
    async (type, { payout, post, temporal: { signalled } }) => {
      expect(await post(pathOf(payout), 'status=done', type)).toBe(200);
      expect(signalled).toEqual([[payout, type ?? null, 'status=done']]);
    },
  );

  test('without a body, or under an older key, is taken', async ({
    gateway: { call },
    payout,
    post,
    temporal: { signalled },
  }) => {
    expect(await call('POST', pathOf(payout), { key: null })).toMatchObject({ text: '{"received":true}' });
    expect(await post(pathOf('payout-old', oldKey))).toBe(200);
    expect(signalled.map(([id, , body]) => [id, body])).toEqual([
      [payout, ''],
      ['payout-old', '{}'],
    ]);
  });

  test('that names an order in the query is given to it with that, and to a payout as it is', async ({
    order,
    payout,
    post,
    temporal: { ended, signalled },
  }) => {
    ended.add('refund-7');
    for (const id of [order, payout]) expect(await post(`${pathOf(id)}?topic=order&id=77`)).toBe(200);
    expect(signalled.map(([id, , body]) => [id, body])).toEqual([
      [order, 'topic=order&id=77\n{}'],
      [payout, '{}'],
    ]);
  });

  test('keeps 4 KiB of its body and no card number', async ({ payout, post, temporal: { signalled } }) => {
    await post(pathOf(payout), `{"number":"${pan}","id":"1234567890123"}${'x'.repeat(60_000)}`);
    await post(pathOf('payout-split'), `${'€'.repeat(2_726)} ${pan} ${'€'.repeat(9_000)}`);
    const [body = '', split] = signalled.map(([, , kept]) => kept);
    expect(body).toContain('{"number":"…","id":"1234567890123"}xxx');
    expect(body.length).toBeLessThan(4_200);
    expect(split).toMatch(/^€+ … €+\D*$/);
    expect(await post(pathOf(payout), 'x'.repeat(70_000))).toBe(413);
  });

  test('reaches its order together with others that name other identifiers', async ({
    order,
    post,
    temporal: { ended, signalled },
  }) => {
    ended.add('refund-7');
    const bodies = ['{"id":1}', '{"id":2}', '{"id":3}'];
    await Promise.all([...bodies, ...bodies].map((body) => post(pathOf(order), body)));
    expect(signalled.map(([, , body]) => body)).toEqual(expect.arrayContaining(bodies));
  });

  test('for an order goes to its refund too, and to the refund alone when the order has ended', async ({
    order,
    post,
    temporal: { ended, signalled },
  }) => {
    expect(await post(pathOf(order), 'both')).toBe(200);
    ended.add(order);
    expect(await post(pathOf(order), 'one')).toBe(200);
    expect(signalled.map(([id, , body]) => [id, body])).toEqual([
      [order, 'both'],
      ['refund-7', 'both'],
      ['refund-7', 'one'],
    ]);
  });

  test('for a payment that has ended or never was gets 200 and is counted', async ({
    gateway: { call },
    payout,
    post,
    temporal: { ended },
  }) => {
    ended.add(payout);
    expect(await post(pathOf(payout))).toBe(200);
    const { text } = await call('GET', '/metrics', { key: null });
    expect(text).toMatch(/postbacks_total\{outcome="payment_closed"\} 1$/m);
  });
});

test('fifty postbacks at once are all answered, and become fewer signals', async ({
  payout,
  post,
  temporal: { signalled },
}) => {
  const posts = Array.from({ length: 50 }, (_, number) => post(pathOf(payout), `number ${String(number)}`));
  expect(new Set(await Promise.all(posts))).toEqual(new Set([200]));
  expect(signalled.length).toBeLessThan(50);
});

test('the address of a postback never stands in the log', async ({ gateway: { logs }, payout, post }) => {
  await post(pathOf(payout), 'secret body');
  const [, capability = ''] = pathOf(payout).split('.');
  expect(logs()).toContain('/postbacks/:capability');
  for (const secret of [capability, 'secret body', operatorKey]) expect(logs()).not.toContain(secret);
});
