import { isGrpcServiceError } from '@temporalio/client';
import { z } from 'zod';
import type { KeptNotification } from '../contract/http/notifications.js';
import { paymentNotification } from '../contract/notify.js';
import { isResentNotificationsId } from '../domain/ids.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { decodePayload } from '../temporal/decode-payload.js';
import { listAll } from './list-all.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';
import { quoted } from './visibility-words.js';

/** The notifications of a payment by webhook, in their order, and the workflows in which deliveries still wait. */
export type NotificationHistory = {
  readonly notifications: readonly KeptNotification[];
  readonly waitingIn: readonly string[];
  /** Whether nothing was left unread for the bounds of the reading. */
  readonly complete: boolean;
};

/** How much is read at most: the latest runs of the payment, and of the workflows that deliver for it the latest. */
export type HistoryBounds = { readonly runs: number; readonly deliverers: number };

type Delivery = KeptNotification['delivery'];

/** One run of a payment, or of a workflow that delivers for it. */
type Run = {
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
const mostRuns = 50;
const nearlyAll: HistoryBounds = { runs: mostRuns, deliverers: Infinity };

const sentInput = z.object({ webhook: z.string(), notification: paymentNotification });
const givenInput = z.object({
  notify: z.object({ webhook: z.string() }),
  notifications: z.array(paymentNotification),
});

/**
 * What became of the notifications of a payment by webhook, as its history and those of the workflows that deliver for
 * it have it. What waits behind the first one that waits has no event yet and is not among them.
 *
 * @throws TemporalUnavailableError; an Error when a payload can't be decoded
 */
export async function readNotifications(
  calls: TemporalCalls,
  workflowId: string,
  bounds = nearlyAll,
): Promise<NotificationHistory> {
  const kept = new Map<string, KeptNotification>();
  const waitingIn = new Set<string>();
  const runs = await paymentRuns(calls, workflowId, bounds.runs);
  for (const { sent } of runs) for (const each of sent.values()) keep(kept, each);
  const latest = runs.at(-1);
  if (latest?.isOver === true) endWaiting(kept);
  else if ([...kept.values()].some(isWaiting)) waitingIn.add(workflowId);

  const isAnyGivenUp = [...kept.values()].some(isGivenUp);
  const resent = isAnyGivenUp
    ? await resentFor(calls, workflowId, kept, bounds)
    : { ids: [], complete: true };
  const deliverers = [...(latest?.deliverers ?? []), ...resent.ids];
  for (const id of deliverers.slice(0, bounds.deliverers)) {
    const run = await readRun(calls, id);
    if (run === undefined) continue;
    const delivered = deliveredBy(run);
    for (const each of delivered) keepBeside(kept, each);
    if (delivered.some(isWaiting)) waitingIn.add(id);
  }
  const notifications = [...kept.values()].sort(
    (a, b) => a.sequence - b.sequence || a.at.localeCompare(b.at),
  );
  const hasEarlier = runs.length === bounds.runs && runs[0]?.previousRunId !== '';
  const complete = !hasEarlier && resent.complete && deliverers.length <= bounds.deliverers;
  return { notifications, waitingIn: [...waitingIn], complete };
}

const isWaiting = ({ delivery }: KeptNotification) => delivery === 'waiting';
const isGivenUp = ({ delivery }: KeptNotification) => delivery === 'given_up';

/** A later run knows better, but what was delivered once is delivered. */
function keep(kept: Map<string, KeptNotification>, notification: KeptNotification): void {
  if (kept.get(notification.id)?.delivery !== 'delivered') kept.set(notification.id, notification);
}

/** Of those that deliver beside each other, it is enough that one still does. */
function keepBeside(kept: Map<string, KeptNotification>, notification: KeptNotification): void {
  if (notification.delivery !== 'given_up' || !kept.has(notification.id)) keep(kept, notification);
}

function endWaiting(kept: Map<string, KeptNotification>): void {
  for (const each of kept.values()) if (isWaiting(each)) kept.set(each.id, { ...each, delivery: 'given_up' });
}

/** All that a workflow `notification` was given, with what became of each. */
function deliveredBy({ given, isOver, sent }: Run): KeptNotification[] {
  const begun = new Map([...sent.values()].map((each) => [each.id, each]));
  return given.map((each) => {
    const found = begun.get(each.id) ?? each;
    return isOver && isWaiting(found) ? { ...found, delivery: 'given_up' } : found;
  });
}

/** The runs of a payment that Temporal has kept, the latest of them, the earliest first. @throws TemporalUnavailableError */
export async function paymentRuns(calls: TemporalCalls, workflowId: string, most = mostRuns): Promise<Run[]> {
  const runs: Run[] = [];
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

/**
 * The workflows that have sent notifications of the payment again, the latest first. Search shows them a moment late.
 * Of its pages no more are read than workflows, for those of other payments with the same code are among them.
 */
async function resentFor(
  calls: TemporalCalls,
  workflowId: string,
  kept: ReadonlyMap<string, KeptNotification>,
  { deliverers: mostPages }: HistoryBounds,
): Promise<{ ids: string[]; complete: boolean }> {
  const code = [...kept.values()][0]?.payment.partner_code ?? '';
  const query = `WorkflowType = 'notification' AND ${searchAttributes.PaymentPartnerCode.name} = ${quoted(code)}`;
  const ids: string[] = [];
  let pages = 0;
  for await (const page of listAll(calls, query)) {
    if (pages === mostPages) return { ids, complete: false };
    pages += 1;
    ids.push(
      ...page.map(({ workflow_id: id }) => id).filter((id) => isResentNotificationsId(id, workflowId)),
    );
  }
  return { ids, complete: true };
}

/** Undefined when Temporal has removed the run. */
async function readRun(calls: TemporalCalls, workflowId: string, runId?: string): Promise<Run | undefined> {
  try {
    return await readKeptRun(calls, workflowId, runId);
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === GRPC_NOT_FOUND) return undefined;
    throw error;
  }
}

async function readKeptRun(calls: TemporalCalls, workflowId: string, runId?: string): Promise<Run> {
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
