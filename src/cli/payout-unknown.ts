import { Command } from 'commander';
import type { PaymentsClient, PayoutState } from '../client.js';
import { csvText } from '../client/csv.js';
import { allOpen } from './shared/all-payments.js';
import { columns } from './shared/columns.js';
import { findingColumns } from './shared/findings.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';
import { amount } from './shared/tables.js';

/** One payout of which it is not known whether the service took it. */
type Unknown = {
  readonly partner_code: string;
  /** The partner_code of the attempt, as the service has it if it has it. */
  readonly sent_as: string;
  readonly method: string;
  readonly value: number;
  /** Since when the outcome is unknown. */
  readonly since: string;
};

/** `durable-payments payout unknown` */
export function payoutUnknownCommand(): Command {
  return new Command('unknown')
    .description(
      'List the payouts of which it is not known whether the service took them, to look them up there; ' +
        'with --csv as the file that `payout resolve --file` reads.',
    )
    .option('--csv', 'print CSV with empty columns for what is found out')
    .addOption(jsonOption())
    .action(async ({ csv, ...options }: JsonOption & { csv?: true }) => {
      const unknown = await withPayments(unknownPayouts);
      if (csv === true) process.stdout.write(findingsFile(unknown));
      else print(unknown, options, unknownText);
    });
}

async function unknownPayouts(payments: PaymentsClient): Promise<Unknown[]> {
  const listed = await allOpen(payments, { kinds: ['payout'], attention: 'submission_unknown' });
  const unknown: Unknown[] = [];
  for (const { partner_code: code } of listed) {
    if (code !== null) unknown.push(...unknownOf(await payments.payout(code).state()));
  }
  return unknown.sort((one, other) => one.since.localeCompare(other.since));
}

/** The list is a moment behind: what was resolved since is left out. */
function unknownOf(state: PayoutState): Unknown[] {
  const attempt = state.attempts.at(-1);
  if (state.status !== 'submission_unknown' || attempt === undefined) return [];
  const { changed_at: changedAt, method, partner_code, updated_at, value } = state;
  return [{ partner_code, sent_as: attempt.partner_code, method, value, since: changedAt ?? updated_at }];
}

function findingsFile(unknown: readonly Unknown[]): string {
  const rows = unknown.map((each) => {
    const cells = { ...each, value: each.value.toFixed(2), service_id: null, nothing_happened: null };
    return findingColumns.map((name) => cells[name]);
  });
  return csvText([findingColumns, ...rows]);
}

function unknownText(unknown: readonly Unknown[]): string {
  if (unknown.length === 0) return 'The outcome of every submission is known, or is still being looked for.';
  return columns(
    ['partner_code', 'sent as', 'method', 'value', 'since'],
    unknown.map((each) => [
      ...[each.partner_code, each.sent_as, each.method, amount(each.value)],
      each.since.slice(0, 16),
    ]),
  );
}
