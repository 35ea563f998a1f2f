import { expect, test } from 'vitest';
import { checkPayoutBatch } from '../../activities/check-payout-batch.js';
import { startPayouts } from '../../activities/start-payouts.js';
import { gate } from '../support/gate.js';
import { rowsOf } from '../support/requests.js';
import { firstDispatch } from './support.js';

const started = { outcome: 'started' } as const;
const [payouts, input] = [rowsOf(3), { starts_per_second: 1_000, timing: {} }];
const codes = payouts.map(({ partner_code: code }) => code);

/** Starts them, but for one while it is out of reach; notes each call and for whom it is. */
function starter(unreachable?: string) {
  const calls: [string, string | undefined][] = [];
  const start = startPayouts({
    ownerOf: () => Promise.resolve('oms'),
    startPayout: ({ partner_code: code }, owner) => {
      calls.push([code, owner]);
      return code === unreachable ? Promise.reject(new Error('no answer')) : Promise.resolve(started);
    },
  });
  return { calls, start };
}

test('the starts of a batch fail with the first that gets no answer, and are then not made over for what was started', async () => {
  let settled: unknown;
  const first = firstDispatch();
  first.onHeartbeat((details) => (settled = structuredClone(details)));
  const { start } = starter(codes[2]);
  await expect(first.run(start, { ...input, payouts })).rejects.toThrow('it is tried again');
  expect(settled).toMatchObject([started, started]);

  const second = starter();
  const again = firstDispatch({ attempt: 2, heartbeatDetails: settled });
  expect(await again.run(second.start, { ...input, payouts })).toEqual(payouts.map(() => started));
  expect(second.calls).toEqual([[codes[2], 'oms']]);
});

test('a cancelled batch waits for the starts that are under way, and reports them', async () => {
  const dispatch = firstDispatch();
  const { open, passed } = gate();
  let begun = 0;
  const start = startPayouts({
    ownerOf: () => Promise.resolve('oms'),
    startPayout: async () => {
      begun += 1;
      if (begun === 2) {
        dispatch.cancel();
        setImmediate(open);
      }
      await passed;
      return started;
    },
  });
  expect(await dispatch.run(start, { ...input, payouts })).toEqual([started, started]);
});

test('a page whose rows are wrong lists their faults by the number of the row in the batch', async () => {
  const head = { batch_id: 'b', page: 2, pages: 2, first_row: 501, rows: 502, digest: 'd' };
  const { problems } = await checkPayoutBatch({ batch: { ...head, payouts: [{}, { method: 'cheque' }] } });
  expect(problems.map(({ row: number, field }) => [number, field])).toEqual([
    [501, 'method'],
    [502, 'method'],
  ]);
});
