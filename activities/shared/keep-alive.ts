import { activityInfo, heartbeat } from '@temporalio/activity';

/**
 * Heartbeats at a third of the activity's heartbeat timeout, when it has one: cancellation reaches an activity by
 * its heartbeats only. Answers the function that ends it.
 *
 * @param atOnce whether the first heartbeat is due now, or only after such a time
 */
export function keepAlive(atOnce = true): () => void {
  const { heartbeatTimeoutMs } = activityInfo();
  if (heartbeatTimeoutMs === undefined || heartbeatTimeoutMs <= 0) return () => undefined;
  if (atOnce) heartbeat();
  const timer = setInterval(() => {
    heartbeat();
  }, heartbeatTimeoutMs / 3);
  return () => {
    clearInterval(timer);
  };
}
