import { expect, test } from 'vitest';
import { requestRefund } from '../../activities/request-refund.js';
import { answers } from '../payments-service/raw-server.js';
import { dispatched, readsPaid, refundRequest, sendOnceInput } from './support.js';

type Setting = 'when_old' | 'always';

test.for<[Setting, number, boolean, string]>([
  ['always', -1, false, 'unknown'],
  ['always', 0, false, 'answered'],
  ['when_old', -1, false, 'answered'],
  ['always', 0, true, 'unknown'],
  ['when_old', 0, true, 'answered'],
])(
  'SCAN_BEFORE_SEND=%s: a refund scheduled %s s after its worker was started, a try before without a mark: %s: %s',
  async ([setting, scheduled, ended_unmarked, expected]) => {
    const startedAtMs = Date.now();
    const at = startedAtMs + scheduled * 1_000;
    const { outcome, server } = await dispatched(
      requestRefund,
      { ...sendOnceInput, ended_unmarked, ...refundRequest },
      {
        info: { scheduledTimestampMs: at, currentAttemptScheduledTimestampMs: at },
        service: answers(200, '{"id":"77","status":"refund_processing"}'),
        worker: (deps) => {
          Object.assign(deps, { scanBeforeSend: setting, startedAtMs });
          readsPaid(deps);
        },
      },
    );
    expect(outcome).toMatchObject({ outcome: expected });
    expect(server.requests).toHaveLength(expected === 'answered' ? 1 : 0);
  },
);
