import { expect, test } from 'vitest';
import { createPixPayout } from '../../activities/create-pix-payout.js';
import { requestRefund } from '../../activities/request-refund.js';
import { answers } from '../payments-service/raw-server.js';
import { dispatched, pixPayout, readsPaid, refundRequest, sendOnceInput } from './support.js';

type Setting = 'when_old' | 'always';

/** A worker that the runbook has started at this moment: what Temporal holds of earlier was restored. */
function restored(scanBeforeSend: Setting) {
  const startedAtMs = Date.now();
  const worker = (deps: object) => Object.assign(deps, { scanBeforeSend, startedAtMs });
  return { after: (seconds: number) => startedAtMs + seconds * 1_000, worker };
}

test.for<[Setting, number, number | null, string]>([
  ['always', 0, -1, 'scan_first'],
  ['always', 0, 1, 'answered'],
  ['when_old', -1, null, 'scan_first'],
  ['when_old', -1, 0, 'answered'],
  ['when_old', 1, null, 'answered'],
])(
  'SCAN_BEFORE_SEND=%s: a payout decided %s s and scanned for %s s after its worker was started: %s',
  async ([setting, decided, scanned, expected]) => {
    const { after, worker } = restored(setting);
    const at = (seconds: number) => new Date(after(seconds)).toISOString();
    const input = { decided_at: at(decided), scan_begun_at: scanned === null ? null : at(scanned) };
    const { outcome, server } = await dispatched(createPixPayout, { ...pixPayout, ...input }, { worker });
    expect(outcome).toMatchObject({ outcome: expected });
    expect(server.requests).toHaveLength(expected === 'answered' ? 1 : 0);
  },
);

test.for<[Setting, number, boolean, string]>([
  ['always', -1, false, 'unknown'],
  ['always', 0, false, 'answered'],
  ['when_old', -1, false, 'answered'],
  ['always', 0, true, 'unknown'],
  ['when_old', 0, true, 'answered'],
])(
  'SCAN_BEFORE_SEND=%s: a refund scheduled %s s after its worker was started, a try before without a mark: %s: %s',
  async ([setting, scheduled, ended_unmarked, expected]) => {
    const { after, worker } = restored(setting);
    const [scheduledTimestampMs, currentAttemptScheduledTimestampMs] = [after(scheduled), after(scheduled)];
    const { outcome, server } = await dispatched(
      requestRefund,
      { ...sendOnceInput, ended_unmarked, ...refundRequest },
      {
        info: { scheduledTimestampMs, currentAttemptScheduledTimestampMs },
        service: answers(200, '{"id":"77","status":"refund_processing"}'),
        worker: (deps) => {
          worker(deps);
          readsPaid(deps);
        },
      },
    );
    expect(outcome).toMatchObject({ outcome: expected });
    expect(server.requests).toHaveLength(expected === 'answered' ? 1 : 0);
  },
);
