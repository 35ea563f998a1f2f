import { isGrpcServiceError } from '@temporalio/client';
import { z } from 'zod';
import type { KeptNotification } from '../contract/http/notifications.js';
import { paymentNotification } from '../contract/notify.js';
import { decodePayload } from '../temporal/decode-payload.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

type Delivery = KeptNotification['delivery'];

/** One run of a payment, or of a workflow that delivers for it. */
export type NotifyingRun = {
  readonly previousRunId: string;
  readonly workflowType: string;
  /** Whether it has ended; a run that was continued as new goes on. */
  readonly isOver: boolean;
  /** What it has begun to deliver, by the number of the event, in its order. */
  readonly sent: ReadonlyMap<string, KeptNotification>;
  /** What it was started to deliver: of the workflow `notification` alone. */
  readonly given: readonly KeptNotification[];
  /** What it had not delivered when it closed, as it handed it over. */
  readonly handedOver: readonly KeptNotification[];
  /** The workflows that deliver that. */
  readonly deliverers: readonly string[];
};

const GRPC_NOT_FOUND = 5;
/** Payments go on in a new run after a thousand events: this is years of one. */
export const mostRuns = 50;
const sentInput = z.object({ webhook: z.string(), notification: paymentNotification });
const givenInput = z.object({
  notify: z.object({ webhook: z.string() }),
  notifications: z.array(paymentNotification),
});

/** The runs of a payment that Temporal has kept, the latest of them, the earliest first. @throws TemporalUnavailableError */
export async function paymentRuns(
  calls: TemporalCalls,
  workflowId: string,
  most = mostRuns,
): Promise<NotifyingRun[]> {
  const runs: NotifyingRun[] = [];
  let runId: string | undefined;
  while (runs.length < most) {
    const run = await readRun(calls, workflowId, runId);
    if (run === undefined) break;
    runs.unshift(run);
    runId = run.previousRunId;
    if (runId === '') break;
  }
  return runs;
}

/** Undefined when Temporal has removed the run. */
export async function readRun(
  calls: TemporalCalls,
  workflowId: string,
  runId?: string,
): Promise<NotifyingRun | undefined> {
  try {
    return await readKeptRun(calls, workflowId, runId);
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === GRPC_NOT_FOUND) return undefined;
    throw error;
  }
}

async function readKeptRun(calls: TemporalCalls, workflowId: string, runId?: string): Promise<NotifyingRun> {
  const sent = new Map<string, KeptNotification>();
  const deliverers: string[] = [];
  const handedOver: KeptNotification[] = [];
  let given: KeptNotification[] = [];
  let workflowType = '';
  let previousRunId = '';
  let isOver = false;
  const setDelivery = (eventId: unknown, delivery: Delivery) => {
    const found = sent.get(String(eventId));
    if (found !== undefined) sent.set(String(eventId), { ...found, delivery });
  };
  for await (const event of eventsOf(calls, workflowId, runId)) {
    const { activityTaskScheduledEventAttributes: scheduled } = event;
    const { startChildWorkflowExecutionInitiatedEventAttributes: child } = event;
    const { workflowExecutionStartedEventAttributes: started } = event;
    if (started != null) {
      previousRunId = started.continuedExecutionRunId ?? '';
      workflowType = started.workflowType?.name ?? '';
      if (workflowType === 'notification') given = givenIn(await firstArgument(calls, started.input));
    } else if (scheduled?.activityType?.name === 'notifyOms') {
      const { data } = sentInput.safeParse(await firstArgument(calls, scheduled.input));
      if (data !== undefined) sent.set(String(event.eventId), waiting(data.notification, data.webhook));
    } else if (child?.workflowType?.name === 'notification') {
      deliverers.push(child.workflowId ?? '');
      handedOver.push(...givenIn(await firstArgument(calls, child.input)));
    }
    setDelivery(event.activityTaskCompletedEventAttributes?.scheduledEventId, 'delivered');
    for (const ended of [
      event.activityTaskFailedEventAttributes,
      event.activityTaskTimedOutEventAttributes,
      event.activityTaskCanceledEventAttributes,
    ])
      setDelivery(ended?.scheduledEventId, 'given_up');
    isOver = isEnd(event);
  }
  return { previousRunId, workflowType, isOver, sent, given, handedOver, deliverers };
}

function givenIn(input: unknown): KeptNotification[] {
  const { data } = givenInput.safeParse(input);
  return (data?.notifications ?? []).map((each) => waiting(each, data?.notify.webhook ?? ''));
}

function waiting(notification: z.infer<typeof paymentNotification>, webhook: string): KeptNotification {
  const { resent: _, ...first } = notification;
  return { ...first, webhook, delivery: 'waiting' };
}

type Event = NonNullable<Awaited<ReturnType<typeof pageOf>>['history']>['events'] extends
  (infer One)[] | null | undefined
  ? One
  : never;

function isEnd(event: Event): boolean {
  return [
    event.workflowExecutionCompletedEventAttributes,
    event.workflowExecutionFailedEventAttributes,
    event.workflowExecutionTimedOutEventAttributes,
    event.workflowExecutionCanceledEventAttributes,
    event.workflowExecutionTerminatedEventAttributes,
  ].some((attributes) => attributes != null);
}

type Input = { payloads?: Parameters<typeof decodePayload>[1][] | null } | null | undefined;

async function firstArgument({ client }: TemporalCalls, input: Input): Promise<unknown> {
  const [payload] = input?.payloads ?? [];
  return payload === undefined ? undefined : decodePayload(client, payload);
}

async function* eventsOf(calls: TemporalCalls, workflowId: string, runId?: string): AsyncGenerator<Event> {
  let nextPageToken: Uint8Array | undefined;
  do {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(calls, workflowId, runId, nextPageToken);
    yield* page.history?.events ?? [];
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
}

function pageOf(calls: TemporalCalls, workflowId: string, runId?: string, nextPageToken?: Uint8Array) {
  return callTemporal(calls, () =>
    calls.client.workflowService.getWorkflowExecutionHistory({
      namespace: calls.client.options.namespace,
      execution: { workflowId, ...(runId === undefined ? {} : { runId }) },
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
    }),
  );
}
