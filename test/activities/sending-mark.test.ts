import { describe, expect, test } from 'vitest';
import { createActivities, createCardStoreActivities } from '../../activities/index.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import { answers, startRawServer } from '../payments-service/raw-server.js';
import {
  cardOn,
  depsFor,
  firstDispatch,
  orderInput,
  pixInput,
  pixPayout,
  sendOnceInput,
  sendsCard,
  transferInput,
  type TestDeps,
} from './support.js';

const { first_name, last_name, document } = pixInput;
const order = { ...sendOnceInput, order: orderInput };
const redirect_url = 'https://shop.example/thanks';
const checkout = { ...orderInput, order: { ...orderInput.order, redirect_url } };
const validation = {
  partner_code: 'check-1',
  first_name,
  last_name,
  document,
  bank_code: '001',
  account: '1',
};

/** Each creating call, dispatched once. */
const creating: [string, (deps: TestDeps) => Promise<CreationOutcome>][] = [
  ['createPixPayout', (deps) => firstDispatch().run(createActivities(deps).createPixPayout, pixPayout)],
  [
    'createTransferPayout',
    (deps) =>
      firstDispatch().run(createActivities(deps).createTransferPayout, {
        ...pixPayout,
        payout: transferInput,
      }),
  ],
  [
    'createCheckout',
    (deps) =>
      firstDispatch().run(createActivities(deps).createCheckout, { ...sendOnceInput, order: checkout }),
  ],
  [
    'createThreeDSecureOrder',
    (deps) => firstDispatch().run(createActivities(deps).createThreeDSecureOrder, order),
  ],
  [
    'createCardOrder',
    (deps) =>
      firstDispatch().run(createCardStoreActivities(deps).createCardOrder, {
        ...sendsCard(cardOn(deps.cardStore)),
        order: orderInput,
      }),
  ],
  [
    'completeThreeDSecureOrder',
    (deps) =>
      firstDispatch().run(createCardStoreActivities(deps).completeThreeDSecureOrder, {
        ...sendsCard(cardOn(deps.cardStore)),
        ...{ service_id: '7', callback: 'cb-1', eci: '05' },
      }),
  ],
  [
    'requestRefund',
    (deps) =>
      firstDispatch().run(createActivities(deps).requestRefund, { ...sendOnceInput, service_id: '7' }),
  ],
  [
    'validateAccount',
    (deps) => firstDispatch().run(createActivities(deps).validateAccount, { ...sendOnceInput, validation }),
  ],
];

async function setUp() {
  const server = await startRawServer(answers(201, '{"id":"1","status":"claimed"}'));
  return { server, deps: depsFor(server.url) };
}

describe.each(creating)('%s', (_, call) => {
  test('sends nothing before Temporal has acknowledged the mark, and then sends once', async () => {
    const { server, deps } = await setUp();
    let acknowledge: (refused?: string) => void = () => undefined;
    const requested = new Promise<void>((resolve) => {
      deps.markSending = () => {
        resolve();
        return new Promise((answer) => {
          acknowledge = answer;
        });
      };
    });
    const outcome = call(deps);
    await Promise.race([requested, outcome]);
    // Time for a connection, had one been opened.
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.connections()).toBe(0);
    acknowledge();
    expect(await outcome).toMatchObject({ outcome: 'answered' });
    expect(server.requests).toHaveLength(1);
  });

  test('sends nothing when Temporal refuses the mark', async () => {
    const { server, deps } = await setUp();
    deps.markSending = () => Promise.resolve('Temporal no longer waits for this activity.');
    expect(await call(deps)).toEqual({
      outcome: 'not_sent',
      reason: 'Temporal no longer waits for this activity.',
    });
    expect(server.connections()).toBe(0);
  });
});

test('the mark is set after the token is there: a call without a token sets none', async () => {
  const { deps } = await setUp();
  let marks = 0;
  deps.markSending = () => {
    marks += 1;
    return Promise.resolve(undefined);
  };
  deps.tokens.missing = true;
  await firstDispatch().run(createActivities(deps).createPixPayout, pixPayout);
  expect(marks).toBe(0);
});

test('no heartbeat of an activity overwrites the mark before the service has answered', async () => {
  const { deps } = await setUp();
  const heartbeats: unknown[] = [];
  const dispatch = firstDispatch({ heartbeatTimeoutMs: 1 });
  dispatch.onHeartbeat((detail) => heartbeats.push(detail));
  await dispatch.run(createActivities(deps).createPixPayout, pixPayout);
  expect(heartbeats).toEqual([]);
});

test('a worker that freezes once the mark stands does not send late', async () => {
  const { server, deps } = await setUp();
  deps.service.requestRefund = (_id, { refusal }) => {
    const reason = refusal() ?? 'it may be sent';
    return Promise.resolve({ outcome: 'not_sent', httpStatus: null, reason });
  };
  const now = Date.now;
  deps.markSending = () => {
    Date.now = () => now() + 35_001;
    return Promise.resolve(undefined);
  };
  try {
    const refund = { ...sendOnceInput, service_id: '7' };
    expect(await firstDispatch().run(createActivities(deps).requestRefund, refund)).toMatchObject({
      reason: expect.stringContaining('time for sending was over') as string,
    });
  } finally {
    Date.now = now;
  }
  expect(server.connections()).toBe(0);
});
