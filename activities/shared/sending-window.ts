import type { Info } from '@temporalio/activity';
import { creatingActivity } from '../../src/domain/call-limits.js';

/**
 * Whether a request may still be written: within `lastMomentToSendMs` of its scheduling, by Temporal's time (`now`), and of
 * the beginning of this activity, by both clocks of this machine: one can be set, the other stands still with the machine.
 * Create it first thing. Answers why not, or undefined when it may.
 */
export function sendingWindow(
  info: Info,
  signal: AbortSignal,
  now: () => number,
  sendBeforeMs = Infinity,
): () => string | undefined {
  const began = { byClock: Date.now(), monotonic: performance.now() };
  const { lastMomentToSendMs } = creatingActivity;
  return () => {
    if (signal.aborted) return 'The activity was cancelled before anything was sent.';
    if (now() >= sendBeforeMs) return 'The time named by send_before has passed. Nothing was sent.';
    const late =
      now() - info.scheduledTimestampMs > lastMomentToSendMs ||
      Date.now() - began.byClock > lastMomentToSendMs ||
      performance.now() - began.monotonic > lastMomentToSendMs;
    return late
      ? 'The time for sending was over before anything was sent: the task or the machine waited too long.'
      : undefined;
  };
}
