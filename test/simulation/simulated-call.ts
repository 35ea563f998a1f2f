import type { SendOnceInput } from '../../src/contract/outcomes.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import type { Tracked } from '../../src/dev/sandbox/tracked.js';
import { creatingActivity, httpLimits } from '../../src/domain/call-limits.js';
import { delaysMs, type CallFault } from './plan.js';
import type { VirtualClock } from './virtual-clock.js';

/**
 * `lost`: no outcome ever comes back, but for what the worker had heartbeated, which is the mark at least once it sends. `never_started`: no worker
 * took the task in time.
 */
export type CallResult =
  | CreationOutcome
  | { outcome: 'lost'; heartbeat?: CreationOutcome | { outcome: 'sending' } }
  | { outcome: 'never_started' };

/** A request of a creating call that left for the service, and what it did there. */
export type Sent = {
  readonly code: string;
  /** When the lifecycle made the call. */
  readonly scheduledAt: number;
  /** Whether the same call was made before, and surely did nothing. */
  readonly isAgain: boolean;
  /** When its first byte left. */
  readonly at: number;
  /** The record that it created or changed; undefined as long as it had no effect. */
  record: Tracked | undefined;
  effectAt: number;
  /** The service refused it, and did it all the same. */
  deceived?: true;
};

/** The service that it is made to. */
type Called = {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly sent: Sent[];
  changedAt: number;
};

/** A creating call: under which code, and which record it makes or changes. */
type Call = Pick<Sent, 'code' | 'isAgain' | 'scheduledAt'> & { readonly make: () => Tracked | undefined };

const refused: CallResult = { outcome: 'refused', reason: '422', http_status: 422 };

/** A creating call that has left: what it does at the service, and what comes back, as the fault has it. */
export function send(
  service: Called,
  { make, ...call }: Call,
  fault: CallFault,
  { rejected_generation: rejected }: SendOnceInput,
  done: (result: CallResult) => void,
): void {
  const { clock, random } = service;
  const sent: Sent = { ...call, at: clock.now, record: undefined, effectAt: Infinity };
  service.sent.push(sent);
  service.changedAt = sent.at;
  const latencyMs = 20 + random() ** 3 * 20_000;
  const effect = () => {
    sent.record = make();
    sent.effectAt = clock.now;
    service.changedAt = sent.effectAt;
  };
  const answerLater = (result: CallResult, afterMs = latencyMs) => {
    clock.after(afterMs, () => {
      done(result);
    });
  };
  const withEffect = (
    result: (record: Tracked) => CallResult,
    effectAfterMs = latencyMs / 2,
    answerAfterMs = latencyMs,
  ) => {
    clock.after(effectAfterMs, () => {
      effect();
      // Refused by the service itself, such as a refund of an order that can't be refunded.
      const { record } = sent;
      answerLater(record === undefined ? refused : result(record), answerAfterMs - effectAfterMs);
    });
  };
  const workerDied: CallResult = { outcome: 'lost', heartbeat: { outcome: 'sending' } };
  const lost: CallResult = { outcome: 'unknown', reason: 'The connection broke.' };
  const again: CallResult = { outcome: 'unknown', reason: 'Dispatched before.', dispatched_before: true };
  const unauthorized: CallResult = {
    ...{ outcome: 'unauthorized', reason: '401', token_generation: (rejected ?? 0) + 1 },
  };
  const throttled = (): CallResult => {
    const retryAfterMs = [null, 1_000, 60_000, 3_600_000][Math.floor(random() * 4)] ?? null;
    return { outcome: 'throttled', reason: '429', retry_after_ms: retryAfterMs };
  };
  switch (fault) {
    case 'none':
    case 'lingered':
    case 'too_late':
    case 'not_sent':
    case 'never_started':
    case 'worker_died_unmarked':
      return withEffect((record) => answered(record.id, record.status));
    case 'id_absent':
      return withEffect((record) => answered(null, record.status));
    case 'status_absent':
      return withEffect((record) => answered(record.id, null));
    case 'id_other':
      return withEffect((record) => answered('1', record.status));
    case 'refused_before':
      return answerLater(refused);
    case 'refused_after':
      sent.deceived = true;
      return withEffect(() => refused);
    case 'unauthorized':
      return answerLater(unauthorized);
    case 'unauthorized_after':
      sent.deceived = true;
      return withEffect(() => unauthorized);
    case 'throttled':
      return answerLater(throttled());
    case 'throttled_after':
      sent.deceived = true;
      return withEffect(throttled);
    case 'lost_before':
      return answerLater(lost);
    case 'lost_after':
      return withEffect(() => lost);
    case 'late_effect':
      clock.after(delaysMs[3 + Math.floor(random() * 6)] ?? 0, effect);
      return answerLater(lost, httpLimits.totalMs);
    case 'worker_died_before':
      return answerLater(workerDied, creatingActivity.startToCloseMs);
    case 'worker_died_after':
      clock.after(latencyMs / 2, effect);
      return answerLater(workerDied, creatingActivity.startToCloseMs);
    case 'worker_died_lingering':
      return withEffect(
        (record) => ({ outcome: 'lost', heartbeat: answered(record.id, record.status) }),
        latencyMs / 2,
        creatingActivity.startToCloseMs,
      );
    case 'redispatched_before':
      return answerLater(again);
    case 'redispatched_after':
      return withEffect(() => again);
  }
}

function answered(id: string | null, status: string | null): CreationOutcome {
  return { outcome: 'answered', service_id: id, status, answer: { status } };
}
