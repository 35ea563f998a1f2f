import { describe, expect, test, vi } from 'vitest';
import { createActivities, createCardStoreActivities } from '../../activities/index.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import { answers, startRawServer } from '../payments-service/raw-server.js';
import {
  cardOn,
  checkoutInput,
  depsFor,
  dispatched,
  firstDispatch,
  orderInput,
  pixPayout,
  readsPaid,
  refundRequest,
  sendOnceInput,
  sendsCard,
  transferPayout,
  validationInput,
  type TestDeps,
} from './support.js';

const order = { ...sendOnceInput, order: orderInput };
const checkout = { ...sendOnceInput, order: checkoutInput };
const refund = { ...sendOnceInput, ...refundRequest };
const validation = { ...sendOnceInput, validation: validationInput };
const withCard = ({ cardStore }: TestDeps) => sendsCard(cardOn(cardStore));
const credentials = { service_id: '7', callback: 'cb-1', eci: '05' };
const [plain, ofCards] = [createActivities, createCardStoreActivities];
const once = <Input>(activity: (input: Input) => Promise<CreationOutcome>, input: Input) =>
  firstDispatch().run(activity, input);

/** Each creating call, dispatched once. */
const creating: [string, (deps: TestDeps) => Promise<CreationOutcome>][] = [
  ['createPixPayout', (deps) => once(plain(deps).createPixPayout, pixPayout)],
  ['createTransferPayout', (deps) => once(plain(deps).createTransferPayout, transferPayout)],
  ['createCheckout', (deps) => once(plain(deps).createCheckout, checkout)],
  ['createThreeDSecureOrder', (deps) => once(plain(deps).createThreeDSecureOrder, order)],
  [
    'createCardOrder',
    (deps) => once(ofCards(deps).createCardOrder, { ...withCard(deps), order: orderInput }),
  ],
  [
    'completeThreeDSecureOrder',
    (deps) => once(ofCards(deps).completeThreeDSecureOrder, { ...withCard(deps), ...credentials }),
  ],
  ['requestRefund', (deps) => once(plain(deps).requestRefund, refund)],
  ['validateAccount', (deps) => once(plain(deps).validateAccount, validation)],
];

async function setUp() {
  const server = await startRawServer(answers(201, '{"id":"1","status":"claimed"}'));
  const deps = depsFor(server.url);
  readsPaid(deps);
  return { server, deps };
}

describe.each(creating)('%s', (_, call) => {
  test('sends nothing before Temporal has acknowledged the mark, and then sends once', async () => {
    const { server, deps } = await setUp();
    let acknowledge: (refused?: string) => void = () => undefined;
    const requested = new Promise<void>((resolve) => {
      deps.markSending = () => {
        resolve();
        return new Promise((answer) => (acknowledge = answer));
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
    const reason = 'Temporal no longer waits for this activity.';
    deps.markSending = () => Promise.resolve(reason);
    expect(await call(deps)).toMatchObject({ outcome: 'not_sent', reason });
    expect(server.connections()).toBe(0);
  });
});

test('the mark is set after the token is there: a call without a token sets none', async () => {
  const markSending = vi.fn(() => Promise.resolve(undefined));
  await dispatched((deps) => plain(deps).createPixPayout, pixPayout, {
    worker: (deps) => {
      deps.tokens.missing = true;
      deps.markSending = markSending;
    },
  });
  expect(markSending).not.toHaveBeenCalled();
});

test('no heartbeat of an activity overwrites the mark before the service has answered', async () => {
  const heartbeats: unknown[] = [];
  await dispatched((deps) => plain(deps).createPixPayout, pixPayout, {
    info: { heartbeatTimeoutMs: 1 },
    worker: (_deps, dispatch) => {
      dispatch.onHeartbeat((detail) => heartbeats.push(detail));
    },
  });
  expect(heartbeats).toEqual([]);
});
