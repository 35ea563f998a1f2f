import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { CardStore, type CardStoreLimits } from '../../src/card-store/card-store.js';
import type { CardReference } from '../../src/contract/card.js';
import type { SendOnceInput, StoredCardInput } from '../../src/contract/outcomes.js';
import type { ServiceToken, TokenSource } from '../../src/payments-service/token-source.js';
import { noneLingers } from '../support/none-lingers.js';
import {
  accountValidation,
  hostedCheckout,
  pixPayout as payoutByPix,
  testCard,
  threeDSecureOrder,
  transferPayout as payoutByTransfer,
} from '../support/requests.js';
import { answers, startRawServer, type Behaviour } from '../payments-service/raw-server.js';
import { serviceAt } from '../payments-service/support.js';
import type { CardSendingDeps } from '../../activities/shared/deps.js';

export const workflowId = 'payout-salary-1';
export const runId = '11111111-2222-4333-8444-555555555555';
export const postbackKeys: [Uint8Array] = [new Uint8Array(32).fill(7)];

/** A fleet of one: counts what it is asked, and issues the next token on a rejection. */
class TestTokens implements TokenSource {
  readonly rejected: number[] = [];
  generation = 1;
  missing = false;
  onCurrent: () => void = () => undefined;

  current(): Promise<ServiceToken> {
    this.onCurrent();
    if (this.missing) return Promise.reject(new Error('secret cause'));
    return Promise.resolve({
      token: `token-of-generation-${String(this.generation)}`,
      generation: this.generation,
    });
  }

  reject(generation: number): Promise<void> {
    this.rejected.push(generation);
    this.generation = generation + 1;
    return Promise.resolve();
  }
}

export type TestDeps = CardSendingDeps & { tokens: TestTokens };

export function depsFor(baseUrl: string, cardStoreLimits?: CardStoreLimits): TestDeps {
  return {
    service: serviceAt(baseUrl),
    tokens: new TestTokens(),
    now: () => Date.now(),
    publicUrl: 'https://oms.example/base',
    earlierRun: () => Promise.resolve('none'),
    markSending: () => Promise.resolve(undefined),
    postbackKeys,
    lingerers: noneLingers(),
    cardStore: new CardStore(`card-store-${runId}`, cardStoreLimits),
  };
}

/** The order that is to be refunded is shown as paid. */
export function readsPaid({ service }: TestDeps): void {
  service.readOrder = (id) => {
    const value = { id, partnerCode: null, status: 'paid', valueCentavos: null };
    return Promise.resolve({ outcome: 'answered', value });
  };
}

export const refundRequest = {
  input: { partner_code: 'order-1', service_id: '77' },
  previous_failure: null,
  right_centavos: [0],
};

type Info = NonNullable<ConstructorParameters<typeof MockActivityEnvironment>[0]>;

/** Runs activities as Temporal does on a first dispatch, just scheduled, in a run that is no reset. */
export function firstDispatch(overrides: Info = {}) {
  const now = Date.now();
  const environment = new MockActivityEnvironment(
    {
      attempt: 1,
      scheduledTimestampMs: now,
      currentAttemptScheduledTimestampMs: now,
      startToCloseTimeoutMs: 75_000,
      workflowExecution: { workflowId, runId },
      ...overrides,
    },
    { logger: new DefaultLogger('ERROR') },
  );
  return {
    run: <Args extends unknown[], Result>(activity: (...args: Args) => Promise<Result>, ...args: Args) =>
      environment.run<Args, Result, typeof activity>(activity, ...args),
    cancel: () => {
      environment.cancel();
    },
    onHeartbeat: (listener: (detail: unknown) => void) => environment.on('heartbeat', listener),
  };
}

export type Dispatch = ReturnType<typeof firstDispatch>;

/** What is different about a dispatch, the worker that takes it, or the service. */
export type Given = {
  info?: Info;
  worker?: ((deps: TestDeps, dispatch: Dispatch) => void) | undefined;
  service?: Behaviour;
};

/** One dispatch of an activity, with what the service has got; an input may depend on the worker. */
export async function dispatched<Input, Outcome>(
  activityOf: (deps: TestDeps) => (input: Input) => Promise<Outcome>,
  input: Input | ((deps: TestDeps) => Input),
  { info, service = answers(201, '{"id":4711,"status":"Claimed"}'), worker }: Given = {},
) {
  const server = await startRawServer(service);
  const [deps, dispatch] = [depsFor(server.url), firstDispatch(info)];
  worker?.(deps, dispatch);
  const given = input instanceof Function ? input(deps) : input;
  return { deps, server, outcome: await dispatch.run(activityOf(deps), given) };
}

/** Why an activity has failed. */
export async function failureOf(promise: Promise<unknown>): Promise<ApplicationFailure> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApplicationFailure)) throw new Error('No ApplicationFailure was thrown.');
  return error;
}

/** A service whose list has these pages; `more` overrides what an answer states beside its records. */
export const listOf =
  (pages: readonly (readonly object[])[], more: object = {}): Behaviour =>
  (socket, request) => {
    const page = Number(/[?&]page=(\d+)/.exec(request)?.[1]);
    const stated = { total_pages: pages.length, current_page: page, ...more };
    answers(200, JSON.stringify({ payouts: pages[page - 1] ?? [], ...stated }))(socket, request);
  };

export const sendOnceInput: SendOnceInput = {
  original_execution_run_id: runId,
  rule_out_runs_before: null,
  rejected_generation: null,
  ended_unmarked: false,
};

/** Of a payment that a bare SDK started, and its card. */
export const sendsCard = (
  card: CardReference,
  user: Omit<StoredCardInput, 'card'> = { owner: null, given_by: null },
): SendOnceInput & StoredCardInput => ({ ...sendOnceInput, card, ...user });

export const pixInput = { ...payoutByPix('salary-1'), value: 1234.5, watch_days: 3, poll_scale: 0.1 };

/** Decided upon just now, whenever a test sends it and whichever clock it runs on. */
const decidedNow = <Payout>(payout: Payout) => ({
  ...{ ...sendOnceInput, payout, corrections: null, attempt: 1, scan_begun_at: null },
  get decided_at() {
    return new Date().toISOString();
  },
});

export const pixPayout = decidedNow(pixInput);

export const transferPayout = decidedNow(payoutByTransfer('salary-2', { value: 10 }));

export const orderInput = threeDSecureOrder('order-1');
export const checkoutInput = hostedCheckout('order-1');
export const validationInput = accountValidation('check-1');

export function cardOn(cardStore: CardStore): CardReference {
  return cardStore.put(testCard);
}
