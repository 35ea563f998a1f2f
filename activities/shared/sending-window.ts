import type { Info } from '@temporalio/activity';
import { creatingActivity } from '../../src/domain/call-limits.js';

/**
 * Whether a request may still be written: within `lastMomentToSendMs` of its scheduling, by the server's timestamp
 * and this machine's clock, and of the beginning of this activity, by the clock that no one sets. Create it first
 * thing. Answers why not, or undefined when it may.
 */
export function sendingWindow(
  info: Info,
  signal: AbortSignal,
  sendBeforeMs = Infinity,
): () => string | undefined {
  const begunMs = performance.now();
  const { lastMomentToSendMs } = creatingActivity;
  return () => {
    if (signal.aborted) return 'The activity was cancelled before anything was sent.';
    if (Date.now() >= sendBeforeMs) return 'The time named by send_before has passed. Nothing was sent.';
    const late =
      Date.now() - info.scheduledTimestampMs > lastMomentToSendMs ||
      performance.now() - begunMs > lastMomentToSendMs;
    return late
      ? 'The time for sending was over before anything was sent: the task waited too long for a worker, or clocks differ.'
      : undefined;
  };
}
