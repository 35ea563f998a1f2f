import cliProgress from 'cli-progress';
import type { BulkRetryHandle, BulkRetryLine, BulkRetryState, OpenBulkRetry } from '../../client.js';
import { outcomeNames, retryOutcomes } from '../../domain/bulk-retry.js';
import { beside, columns, paragraph } from './columns.js';
import { exitCodes } from './exit-codes.js';
import { follow, interrupted } from './follow.js';
import { printAtOnce } from './output.js';
import type { JsonOption } from './output.js';
import { amount, table } from './tables.js';

/** How far a bulk retry is, for people; wrapped to the terminal, but for its table, which is within 80 columns. */
export function bulkRetryText(state: BulkRetryState): string {
  const { attention, attention_detail: detail, bulk_retry_id: id, counts, groups, values } = state;
  const parts = [
    `Bulk retry ${id}: ${state.status}${state.dry_run ? ' (dry run: nothing is retried)' : ''}`,
    beside(
      [
        ['awaiting', state.awaiting],
        ['reason', `${state.reason} (${state.by})`],
      ],
      11,
    ),
    table(
      ['payouts', '', 'sum'],
      (['matched', ...retryOutcomes] as const).map((outcome) => [
        outcomeNames[outcome],
        String(counts[outcome]),
        amount(values[outcome]),
      ]),
    ),
  ];
  if (state.unanswered.length > 0) {
    parts.push(paragraph(`Not answered, may have been retried: ${state.unanswered.join(', ')}`));
  }
  if (groups.length > 0) {
    parts.push(
      table(
        ['cause', 'words', 'payouts', 'sum'],
        groups.map(({ cause, count, value, words }) => [cause, words, String(count), amount(value)]),
        [17, 31, 9, 18],
      ),
    );
  }
  if (attention !== null) parts.push(`Needs an operator: ${attention}`);
  if (detail !== null) parts.push(paragraph(detail));
  if (attention !== null) {
    parts.push(
      `durable-payments bulk-retry resume ${id} --reason '…'`,
      `durable-payments bulk-retry stop ${id} --reason '…'`,
    );
  }
  return parts.join('\n');
}

/** One line for each, with the sums of what is selected and of what is not retried yet. */
export function bulkRetriesTable(open: readonly OpenBulkRetry[]): string {
  if (open.length === 0) return 'No bulk retry runs or waits.';
  return columns(
    ['bulk_retry_id', 'status', 'selected', 'sum', 'not retried', 'sum'],
    open.map(({ bulk_retry_id: id, state }) => {
      if (state === undefined) return [id, 'no answer', '', '', '', ''];
      const { counts, status, values } = state;
      const [selected, left] = [String(counts.matched), String(counts.pending)];
      return [id, status, selected, amount(values.matched), left, amount(values.pending)];
    }),
  );
}

/** The outcome of each payout, for people; within 80 columns. */
export function reportTable(lines: readonly BulkRetryLine[]): string {
  return table(
    ['partner_code', 'outcome', 'value', 'why'],
    lines.map(({ detail, outcome, partner_code: code, value, words }) => [
      code,
      outcome,
      amount(value),
      detail ?? (outcome === 'pending' ? words : ''),
    ]),
    [25, 14, 15, 21],
  );
}

/**
 * Shows how far a bulk retry is until it is over or needs an operator, then prints it. Ctrl-C ends only the watching.
 * Answers the exit code.
 */
export async function followBulkRetry(bulkRetry: BulkRetryHandle, options: JsonOption): Promise<number> {
  const bar = process.stderr.isTTY
    ? new cliProgress.SingleBar(
        {
          format: '{bar} {value}/{total} · {done} done, {failed} failed again · {status}',
          barsize: 20,
          etaBuffer: 1,
        },
        cliProgress.Presets.shades_classic,
      )
    : null;
  bar?.start(0, 0, { done: 0, failed: 0, status: 'starting' });
  let state: BulkRetryState | undefined;
  try {
    state = await follow(
      () => bulkRetry.state(),
      isOver,
      (seen) => {
        show(bar, seen);
      },
    );
  } finally {
    bar?.stop();
  }
  if (state !== undefined) printAtOnce(state, options, bulkRetryText);
  if (state !== undefined && isOver(state)) return exitCodeOf(state);
  const { bulkRetryId: id } = bulkRetry;
  console.error(
    `\nThe bulk retry goes on without this command. Look again, pause or stop it:\n` +
      `  durable-payments bulk-retry show ${id}\n` +
      `  durable-payments bulk-retry pause ${id} --reason '…'`,
  );
  return interrupted;
}

/** Nothing happens any more, or not before an operator has decided. */
const isOver = ({ attention, closed }: BulkRetryState) => closed || attention !== null;

function show(bar: cliProgress.SingleBar | null, { counts, status }: BulkRetryState): void {
  bar?.setTotal(counts.matched);
  bar?.update(counts.matched - counts.pending, {
    done: counts.done,
    failed: counts.failed_again,
    status,
  });
}

/** Payouts that refused or failed again are refusals, for a program that waits. */
export function exitCodeOf({ attention, closed, counts, dry_run: isDryRun }: BulkRetryState): number {
  if (isDryRun) return exitCodes.done;
  const isLeft = closed && counts.pending > 0;
  const failed = attention !== null || isLeft || counts.failed_again > 0 || counts.refused > 0;
  return failed ? exitCodes.refused : exitCodes.done;
}
