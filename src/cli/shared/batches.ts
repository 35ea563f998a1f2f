import { setTimeout as sleep } from 'node:timers/promises';
import cliProgress from 'cli-progress';
import type { PayoutBatchState } from '../../client.js';
import { exitCodes } from './exit-codes.js';
import { table } from './tables.js';

const lookEveryMs = 1_000;

/** Waits until a batch starts no more; meanwhile a bar shows how far it is, on a terminal. */
export async function untilFinished(
  look: () => Promise<PayoutBatchState>,
  initial: PayoutBatchState,
): Promise<PayoutBatchState> {
  const bar = process.stderr.isTTY
    ? new cliProgress.SingleBar(
        { format: '{bar} {value}/{total} payouts' },
        cliProgress.Presets.shades_classic,
      )
    : null;
  bar?.start(initial.rows, initial.rows - initial.counts.pending);
  try {
    let state = initial;
    while (state.status === 'starting') {
      await sleep(lookEveryMs);
      state = await look();
      bar?.update(state.rows - state.counts.pending);
    }
    return state;
  } finally {
    bar?.stop();
  }
}

/** The outcome of a batch, for people. */
export function batchText(state: PayoutBatchState): string {
  const { batch_id, status, rows, counts, errors, error_count } = state;
  const parts = [
    `Batch ${batch_id}: ${status}, ${String(rows)} payouts.`,
    table(
      ['started', 'started before', 'conflict', 'failed', 'pending'],
      [[counts.started, counts.existing, counts.conflict, counts.failed, counts.pending].map(String)],
    ),
  ];
  const statuses = Object.entries(state.payouts ?? {});
  if (statuses.length > 0) {
    parts.push(
      table(
        ['status now', 'payouts'],
        statuses.map(([word, count]) => [word, String(count)]),
      ),
    );
  }
  if (status === 'incomplete') parts.push('Not all of it was taken. Send the same file again: it goes on.');
  if (status === 'stopped')
    parts.push('A page was cancelled or not usable. What is pending was not started.');
  if (errors.length > 0) {
    parts.push(
      table(
        ['row', 'partner_code', 'outcome', 'why'],
        errors.map(({ row, partner_code, outcome, message }) => [
          String(row),
          partner_code ?? '',
          outcome,
          message,
        ]),
      ),
    );
  }
  if (error_count > errors.length) parts.push(`and ${String(error_count - errors.length)} more.`);
  return parts.join('\n');
}

/** Rows that started nothing are refusals, for a program that waits. */
export function exitCodeOf({ error_count, status }: PayoutBatchState): number {
  return error_count > 0 || status === 'stopped' ? exitCodes.refused : exitCodes.done;
}
