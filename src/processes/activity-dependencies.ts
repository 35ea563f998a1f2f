import { Lingerers } from '../../activities/shared/lingerers.js';
import { turnsAt } from '../../activities/shared/turns.js';
import type { Client } from '@temporalio/client';
import type { Registry } from 'prom-client';
import type {
  NotificationDeps,
  OwnPaymentsDeps,
  SendingDeps,
  TokenDeps,
  TurnDeps,
} from '../../activities/shared/deps.js';
import { knownOrder } from '../client/known-order.js';
import { ownPayments } from '../client/own-payments.js';
import type { WorkerConfig } from '../config/settings.js';
import { isLoopback } from '../config/values.js';
import { measuredService } from '../metrics/measured-service.js';
import { beforeSending } from '../domain/call-limits.js';
import { createWebhookSender } from '../webhooks/webhook-sender.js';
import { createPaymentsService } from '../payments-service/create-payments-service.js';
import { backlogWatch } from '../temporal/backlog.js';
import { lookForEarlierRun } from '../temporal/earlier-runs.js';
import { markSending } from '../temporal/mark-sending.js';
import type { KeyRing } from '../temporal/key-ring.js';
import type { ServerClock } from '../temporal/server-clock.js';
import { createTokenSource } from '../temporal/token-source.js';
import type { Tracing } from '../tracing/tracing.js';

/** What activities work with. */
export type ActivityDependencies = {
  /** Temporal's. */
  readonly clock: ServerClock;
  readonly sending: SendingDeps;
  readonly token: TokenDeps;
  readonly own: OwnPaymentsDeps;
  readonly turns: TurnDeps;
  readonly notifications: NotificationDeps;
  close(): Promise<void>;
};

type DependenciesConfig = Pick<
  WorkerConfig,
  'payments' | 'taskQueue' | 'publicUrl' | 'postbackKeys' | 'notifyTargets' | 'notifyWorkflows'
> &
  Partial<Pick<WorkerConfig, 'scanBeforeSend' | 'creatingCallsPerSecond' | 'ordersAfter429'>>;

/** The client of the payments service, whose calls are counted and traced, and the fleet's token for it. */
export function createActivityDependencies(
  client: Client,
  {
    payments,
    taskQueue,
    publicUrl,
    postbackKeys,
    notifyTargets,
    notifyWorkflows,
    scanBeforeSend = 'when_old',
    creatingCallsPerSecond = null,
    ordersAfter429,
  }: DependenciesConfig,
  registry: Registry,
  tracing: Tracing,
  clock: ServerClock,
): ActivityDependencies {
  const { now } = clock;
  const service = tracing.service(
    measuredService(createPaymentsService({ ...payments, after429: ordersAfter429 }), registry),
  );
  const callsWait = backlogWatch(client, taskQueue);
  const tokens = createTokenSource({ ...payments, client, taskQueue, now });
  return {
    clock,
    sending: {
      service,
      tokens,
      now,
      publicUrl,
      postbackKeys: keyBytes(postbackKeys),
      scanBeforeSend,
      startedAtMs: now(),
      lingerers: new Lingerers(),
      orderOf: (partnerCode) => knownOrder(client, partnerCode),
      earlierRun: (run) => lookForEarlierRun(client, run, beforeSending.searchMs),
      markSending: (taskToken) => markSending(client, taskToken, beforeSending.markMs),
    },
    token: { service, now, clientSecret: payments.clientSecret },
    own: {
      ...{ service, tokens, now, ...ownPayments(client, taskQueue) },
      ...(creatingCallsPerSecond !== null && {
        turn: turnsAt(creatingCallsPerSecond, callsWait),
      }),
    },
    turns: { callsWait },
    notifications: {
      notifyWorkflows,
      webhooks: createWebhookSender({
        targets: notifyTargets,
        allowLoopback: isLoopback(payments.baseUrl),
      }),
    },
    close: () => service.close(),
  };
}

/** The bytes of a ring's keys, the current one first. */
export function keyBytes({ current, byId }: KeyRing): [Uint8Array, ...Uint8Array[]] {
  const previous = [...byId.values()].filter((key) => key !== current);
  return [current.bytes, ...previous.map(({ bytes }) => bytes)];
}
