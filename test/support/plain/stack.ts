import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkflowStartOptions } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time.js';
import {
  createActivities,
  createReadingActivities,
  createCardStoreActivities,
  createScanningActivities,
} from '../../../activities/index.js';
import type { PaymentNotification } from '../../../src/contract/notify.js';
import type { PaymentState } from '../../../src/contract/state.js';
import type { PostbackReceived, StatusHint } from '../../../src/contract/messages.js';
import { CardStore } from '../../../src/card-store/card-store.js';
import { startSandbox } from '../../../src/dev/sandbox/server.js';
import { toDecimal } from '../../../src/domain/money.js';
import { createPaymentsService } from '../../../src/payments-service/create-payments-service.js';
import type { CommandName } from '../../../src/domain/stage-table.js';
import {
  boundCommand,
  refusalOf,
  takeHint,
  takePostback,
  takeShared,
  takeRetrySignal,
} from '../../../workflows/shared/incoming.js';
import { claimIdentifier } from '../../../activities/claim-identifier.js';
import { findOwner } from '../../../activities/find-owner.js';
import { readTimeout } from '../../../activities/read-timeout.js';
import { Loop } from '../../../workflows/shared/loop.js';
import type { Activities } from '../called.js';
import { ownTokens } from '../own-tokens.js';
import { followed, type Clock, type Payment } from '../payment.js';
import type { PaymentsStack } from '../payments-stack.js';
import { runOf } from '../run-of.js';
import { lives, type Build, type Life } from '../lives.js';
import { PlainEngine } from './plain-engine.js';
import { World } from './world.js';
import { noneLingers } from '../none-lingers.js';

type Options = Partial<WorkflowStartOptions>;
type Living = Life & { readonly loop: Loop; ended: boolean };

/** `slowList`: each page of `GET /v1/payouts` takes so long, and what is given here happens after it was answered. */
type PlainStack = PaymentsStack & {
  readonly slowList: (pageMs: number, afterPage?: (page: number) => void) => void;
  /** The state of a payment now, also while a call of it is under way. */
  readonly viewOf: (workflowId: string) => PaymentState | undefined;
  /** What a payment has queued for its OMS: nothing is delivered here. */
  readonly notificationsOf: (workflowId: string) => readonly PaymentNotification[];
  /** A command that comes in while a call is under way. */
  readonly take: (workflowId: string, name: CommandName, message: object) => Promise<PaymentState>;
};

const noPage = (): void => undefined;

/**
 * The lifecycles of payments in this process, with the real activities, a sandbox and a card store, and without
 * Temporal: time passes only when a test lets it.
 */
export async function startPlainStack(): Promise<PlainStack> {
  const world = new World(Date.now());
  let serviceNow = world.now;
  const credentials = { clientId: 'shop', clientSecret: 'shop-secret' };
  const sandbox = await startSandbox({ ...credentials, progress: 'manual', now: () => serviceNow });
  const http = createPaymentsService({ ...credentials, baseUrl: sandbox.url });
  let list = { pageMs: 0, afterPage: noPage as (page: number) => void };
  const service: typeof http = {
    ...http,
    listPayouts: async (query, call) => {
      const answer = await http.listPayouts(query, call);
      world.advance(list.pageMs);
      list.afterPage(query.page ?? 1);
      return answer;
    },
  };
  const cardStore = new CardStore(`card-store-${randomUUID()}`);
  const postbackKeys: [Uint8Array] = [randomBytes(32)];
  const living = new Map<string, Living>();
  const orderOf = (code: string) => {
    const order = living.get(`order-${code}`)?.payment.record;
    return order && { serviceId: order.serviceId, value: toDecimal(order.valueCentavos) };
  };
  const deps = {
    ...{ service, cardStore, postbackKeys, tokens: ownTokens(service), publicUrl: 'http://127.0.0.1:9' },
    now: () => Date.now(),
    earlierRun: () => Promise.resolve('none' as const),
    // No Temporal keeps a record here.
    markSending: () => Promise.resolve(undefined),
    orderOf: (code: string) => Promise.resolve(orderOf(code)),
    lingerers: noneLingers(),
  };
  const ownersOf = (serviceId: string, except: string) =>
    Promise.resolve(
      [...living]
        .filter(
          ([workflowId, { payment }]) => payment.record.serviceId === serviceId && workflowId !== except,
        )
        .map(([workflowId]) => workflowId),
    );
  const claims = new Map<string, string>();
  const claim = async (serviceId: string, workflowId: string) => {
    const [owner] = await ownersOf(serviceId, workflowId);
    const holder = owner ?? claims.get(serviceId) ?? workflowId;
    claims.set(serviceId, holder);
    return holder;
  };
  const activities: Activities = {
    ...createActivities(deps),
    ...createReadingActivities(deps),
    ...createScanningActivities(deps),
    ...createCardStoreActivities(deps),
    claimIdentifier: claimIdentifier({ claim }),
    findOwner: findOwner({ ownersOf }),
    // Here no workflow learns late of a timeout.
    readTimeout: readTimeout({ neverStartedAfterMs: () => Promise.resolve(null) }),
  };
  const clock: Clock = {
    now: () => Promise.resolve(world.now),
    pass: async (duration) => {
      await world.pass(msToNumber(duration));
      serviceNow = world.now;
    },
    sleep: (duration: Duration) => world.pass(msToNumber(duration)),
  };

  function begin(type: string, workflowId: string, input: unknown, options: Options): Living {
    const build = new Map<string, Build>(Object.entries(lives)).get(type);
    if (build === undefined) throw new Error(`No payment has the workflow type ${type}.`);
    if (living.get(workflowId)?.ended === false) throw new Error(`${workflowId} was already started.`);
    const runId = randomUUID();
    const run = runOf(workflowId, {
      ...{ runId, originalRunId: runId, firstRunId: runId, startedAt: world.now },
      ...{ now: () => world.now, random: () => Math.random(), start: startedWith(options) },
    });
    const life = build(asJson(input), run);
    const { payment } = life;
    const hint = (id: string, message: StatusHint) => {
      const hinted = living.get(id);
      if (hinted?.ended === false) deliver(hinted, 'statusHint', message);
    };
    const engine = new PlainEngine(payment.run, world, activities, cardStore.taskQueue, hint);
    const loop = new Loop(payment, engine);
    const begun: Living = { ...life, loop, ended: false };
    living.set(workflowId, begun);
    loop
      .live(() => life.live(loop))
      .then(
        () => {
          begun.ended = true;
        },
        (error: unknown) => {
          world.fail(error);
        },
      );
    return begun;
  }

  function found(workflowId: string): Living {
    const life = living.get(workflowId);
    if (life === undefined) throw new Error(`${workflowId} was never started.`);
    return life;
  }

  async function take(workflowId: string, name: CommandName, message: object): Promise<PaymentState> {
    const { loop, payment } = found(workflowId);
    const refusal = refusalOf(payment, name, asJson(message));
    if (refusal !== undefined) throw refusal;
    return loop.queue.execute(boundCommand(payment, name, asJson(message)));
  }

  function paymentOf<State>(workflowId: string): Payment<State> {
    const of = () => found(workflowId);
    const state = async () => {
      await world.settle();
      return asJson(of().payment.view()) as State;
    };
    return followed({
      ...{ workflowId, clock, state },
      ended: () => Promise.resolve(of().ended),
      outcome: state,
      command: async <Answer>(name: string, message: object) => {
        await world.settle();
        const executed = take(workflowId, name as CommandName, message);
        const settled = world.settle();
        const answer = await executed.finally(() => settled);
        return asJson(answer) as Answer;
      },
      signal: async (name, message) => {
        deliver(of(), name, message);
        await world.settle();
      },
      cancel: async () => {
        of().loop.requestCancel();
        await world.settle();
      },
    });
  }

  return {
    ...{ sandbox, cardStore, clock },
    ...{ payment: paymentOf, take },
    viewOf: (workflowId) => living.get(workflowId)?.payment.view(),
    notificationsOf: (workflowId) => found(workflowId).payment.record.notifications?.data.waiting ?? [],
    slowList: (pageMs, afterPage = noPage) => {
      list = { pageMs, afterPage };
    },
    start: async (type, workflowId, input, options = {}) => {
      serviceNow = world.now;
      begin(type, workflowId, input, options);
      await world.settle();
      return paymentOf(workflowId);
    },
    finish: () => {
      living.clear();
      world.forget();
      sandbox.clearFaults();
      list = { pageMs: 0, afterPage: noPage };
      return Promise.resolve();
    },
    close: async () => {
      await cardStore.close();
      await sandbox.close();
      await service.close();
    },
  };
}

/** What of the options of a start a payment looks at. */
function startedWith({ cronSchedule, retry, workflowExecutionTimeout, workflowRunTimeout }: Options) {
  return {
    attempt: 1,
    hasRetryPolicy: retry !== undefined,
    hasCronSchedule: cronSchedule !== undefined,
    hasTimeout: workflowExecutionTimeout !== undefined || workflowRunTimeout !== undefined,
  };
}

/** A Signal, as the handlers of a workflow take it. */
function deliver({ loop, payment }: Living, name: string, message: unknown): void {
  switch (name) {
    case 'statusHint':
      return takeHint(payment, asJson(message));
    case 'postbackReceived':
      return takePostback(payment, asJson(message) as PostbackReceived | undefined);
    case 'identifierShared':
      return takeShared(payment, asJson(message));
    case 'retryPayout':
      return takeRetrySignal(payment, message, (command) => loop.queue.enqueue(command));
    default:
      throw new Error(`No payment takes a Signal ${name}.`);
  }
}

/** As it comes out of Temporal. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
