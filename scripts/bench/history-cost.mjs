import proto from '@temporalio/proto';

const { EventType } = proto.temporal.api.enums.v1;

/** What Temporal Cloud bills as an action, by the event that shows it: https://docs.temporal.io/cloud/actions */
const billed = new Set([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
  EventType.EVENT_TYPE_TIMER_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED,
  EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
  EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
]);

/** The billable actions of a history, by name. Queries, which cost one each, are in no history. */
export function billableActions(events) {
  return events.flatMap(({ eventType }) => {
    // A child workflow costs two: its command, and its own start, which is in its own history.
    if (eventType === EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED)
      return ['START_CHILD_WORKFLOW'];
    return billed.has(eventType) ? [EventType[eventType].replace('EVENT_TYPE_', '')] : [];
  });
}

export function eventNames(events) {
  return events.map(({ eventType }) => (EventType[eventType ?? 0] ?? '').replace('EVENT_TYPE_', ''));
}

/** Whether one timer is pending, which is `seconds` long or longer: nothing is to come soon. */
export function isQuiet(events, seconds) {
  const started = events.flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []);
  const over = events.flatMap(
    ({ timerCanceledEventAttributes: cancelled, timerFiredEventAttributes: fired }) =>
      (fired ?? cancelled)?.timerId ?? [],
  );
  const pending = started.filter(({ timerId }) => !over.includes(timerId));
  return pending.length === 1 && Number(pending[0].startToFireTimeout?.seconds) >= seconds;
}

/** How many reads of the service a payment has made; -1 before it waits for its first one. */
export function readsMade(events) {
  if (!events.some(({ timerStartedEventAttributes: timer }) => timer != null)) return -1;
  const reads = events.flatMap(({ activityTaskScheduledEventAttributes: scheduled, eventId }) =>
    /^read(Order|Payout)$/.test(scheduled?.activityType?.name ?? '') ? [String(eventId)] : [],
  );
  return events.filter(({ activityTaskCompletedEventAttributes: completed }) =>
    reads.includes(String(completed?.scheduledEventId)),
  ).length;
}

/** What a workflow has cost so far. */
export async function costOf(client, workflowId) {
  const handle = client.workflow.getHandle(workflowId);
  const { events = [] } = await handle.fetchHistory();
  const { historySize, raw } = await handle.describe();
  const names = eventNames(events);
  return {
    names,
    events: events.length,
    tasks: names.filter((name) => name === 'WORKFLOW_TASK_COMPLETED').length,
    timersFired: names.filter((name) => name === 'TIMER_FIRED').length,
    actions: billableActions(events).length,
    /** How often the server has written its state: what the database and a history shard do. */
    transitions: Number(raw.workflowExecutionInfo?.stateTransitionCount ?? 0),
    /** As Temporal stores it: encrypted. */
    bytes: historySize ?? 0,
  };
}
