import { Command } from 'commander';
import { bulkRetryCsv, bulkRetryCsvHead } from '../client/bulk-retry-csv.js';
import type { BulkRetryLine } from '../client.js';
import { printableJson } from '../domain/plain-text.js';
import {
  bulkRetriesTable,
  bulkRetryText,
  exitCodeOf,
  followBulkRetry,
  reportTable,
} from './shared/bulk-retries.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { operator, withPayments } from './shared/payments.js';

/** `durable-payments bulk-retry list|show|report|pause|resume|stop` */
export function bulkRetryCommand(): Command {
  const command = new Command('bulk-retry')
    .description('Bulk retries of failed payouts; `payout retry --all` starts one.')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(reportCommand());
  for (const name of ['pause', 'resume', 'stop'] as const) command.addCommand(decisionCommand(name));
  return command;
}

function listCommand(): Command {
  return new Command('list')
    .description('List the bulk retries that run or wait, with counts and sums.')
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      const states = await withPayments((payments) => payments.openBulkRetries());
      print(states, options, bulkRetriesTable);
    });
}

function showCommand(): Command {
  return new Command('show')
    .description('Show how far a bulk retry is: counts and sums by outcome and by cause.')
    .argument('<bulk_retry_id>')
    .option('--follow', 'stay until it is over; Ctrl-C leaves it running')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption & { follow?: true }) => {
      process.exitCode = await withPayments(async (payments) => {
        const bulkRetry = payments.bulkRetry(id);
        const state = await bulkRetry.state();
        if (options.follow === true) return followBulkRetry(bulkRetry, options);
        print(state, options, bulkRetryText);
        return exitCodeOf(state);
      });
    });
}

function reportCommand(): Command {
  return new Command('report')
    .description('The outcome of each payout of a bulk retry, and why.')
    .argument('<bulk_retry_id>')
    .option('--csv', 'print CSV')
    .addOption(jsonOption())
    .action(async (id: string, { csv, json }: JsonOption & { csv?: true }) => {
      await withPayments(async (payments) => {
        if (csv === true) process.stdout.write(bulkRetryCsvHead);
        for await (const lines of payments.bulkRetry(id).report()) {
          process.stdout.write(csv === true ? bulkRetryCsv(lines) : printed(lines, json));
        }
      });
    });
}

/** JSON a line a payout, or a table a page. */
function printed(lines: readonly BulkRetryLine[], json: true | undefined): string {
  if (json === true) return lines.map((line) => `${printableJson(line, 'one line')}\n`).join('');
  return `${reportTable(lines)}\n`;
}

const descriptions = {
  pause: 'Retry no more until it is resumed.',
  resume: 'Go on after a pause, or after it has stopped by itself.',
  stop: 'Retry no more, for good. What was retried is followed to its outcome.',
} as const;

function decisionCommand(name: 'pause' | 'resume' | 'stop'): Command {
  return new Command(name)
    .description(descriptions[name])
    .argument('<bulk_retry_id>')
    .requiredOption('--reason <text>', 'kept in its timeline')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption & { reason: string }) => {
      const { by } = operator(options.reason);
      const { reason } = options;
      const state = await withPayments((payments) => payments.bulkRetry(id)[name]({ by, reason }));
      print(state, options, bulkRetryText);
    });
}
