import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/**
 * The time-skipping server reads its clock twice for a task: for `scheduledTimestampMs` and then for
 * `currentAttemptScheduledTimestampMs`. Now and then a millisecond passes in between, and a first dispatch looks
 * like a repeated one, which may not send. A real server writes one instant into both, and so does this.
 */
export const oneClock: ActivityInterceptorsFactory = ({ info }) => {
  if (info.attempt === 1) {
    Object.assign(info, { currentAttemptScheduledTimestampMs: info.scheduledTimestampMs });
  }
  return {};
};
