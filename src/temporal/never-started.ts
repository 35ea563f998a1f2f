import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';

const { TIMEOUT_TYPE_SCHEDULE_TO_START } = proto.temporal.api.enums.v1.TimeoutType;

/**
 * How long after its scheduling the latest activity of a run that no worker took timed out: milliseconds, by Temporal's
 * record; null when there is none.
 */
export async function neverStartedAfterMs(
  client: Client,
  workflowId: string,
  runId: string,
): Promise<number | null> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const timedOut = events?.findLast(
    ({ activityTaskTimedOutEventAttributes: it }) =>
      it?.failure?.timeoutFailureInfo?.timeoutType === TIMEOUT_TYPE_SCHEDULE_TO_START,
  );
  const scheduledId = timedOut?.activityTaskTimedOutEventAttributes?.scheduledEventId;
  const scheduled = events?.find(({ eventId }) => eventId != null && scheduledId?.equals(eventId) === true);
  const [from, until] = [scheduled, timedOut].map((event) => optionalTsToMs(event?.eventTime));
  return from === undefined || until === undefined ? null : until - from;
}
