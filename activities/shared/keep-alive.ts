import { activityInfo, heartbeat } from '@temporalio/activity';

/**
 * Heartbeats at a third of the activity's heartbeat timeout, when it has one: cancellation reaches an activity by
 * its heartbeats only. Answers the function that ends it.
 */
export function keepAlive(): () => void {
  const { heartbeatTimeoutMs } = activityInfo();
  if (heartbeatTimeoutMs === undefined || heartbeatTimeoutMs <= 0) return () => undefined;
  const timer = setInterval(() => {
    heartbeat();
  }, heartbeatTimeoutMs / 3);
  return () => {
    clearInterval(timer);
  };
}
