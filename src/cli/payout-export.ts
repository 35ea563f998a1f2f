import { once } from 'node:events';
import { Command, Option } from 'commander';
import { csvText } from '../client/csv.js';
import { exportColumns } from './export/exported-payout.js';
import type { ExportedPayout } from './export/exported-payout.js';
import { IncompleteListError } from './export/incomplete-list-error.js';
import { ourPayouts } from './export/our-payouts.js';
import { PayoutJoin } from './export/payout-join.js';
import { momentMs, periodOf } from './export/period.js';
import type { Period } from './export/period.js';
import { serviceList } from './export/service-list.js';
import { Totals } from './export/totals.js';
import type { ExportTotals } from './export/totals.js';
import { totalsTable } from './export/totals-table.js';
import { exitCodes } from './shared/exit-codes.js';
import { jsonOption } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withTemporal } from './shared/payments.js';

type Options = JsonOption & { from: number; to?: number };

/** `durable-payments payout export` */
export function payoutExportCommand(): Command {
  return new Command('export')
    .description(
      "For finance: the service's list of payouts with what is known of them here, a line each, their differences " +
        'named, and totals. Changes nothing.',
    )
    .requiredOption('--from <date>', 'what was claimed at this time or later: 2026-11-01, in UTC', momentMs)
    .option('--to <date>', 'and before this time (default: now)', momentMs)
    .addOption(new Option('--csv', 'print CSV, the totals on standard error; the default').conflicts('json'))
    .addOption(jsonOption().conflicts('csv'))
    .action(async ({ from, to, json }: Options) => {
      const nowMs = Date.now();
      const period = periodOf(from, Math.min(to ?? nowMs, nowMs));
      const format = json === true ? asJson : asCsv;
      try {
        const totals = await exportPayouts(period, nowMs, format);
        if (json === true) await write(`${JSON.stringify({ totals })}\n`);
        else console.error(totalsTable(totals));
        if (totals.unreadable_amounts > 0) process.exitCode = exitCodes.failed;
      } catch (error) {
        if (!(error instanceof IncompleteListError)) throw error;
        console.error(error.message);
        process.exitCode = exitCodes.failed;
      }
    });
}

type Format = { readonly head: string; readonly text: (lines: readonly ExportedPayout[]) => string };

const asCsv: Format = {
  head: csvText([exportColumns]),
  text: (lines) => csvText(lines.map((line) => exportColumns.map((name) => line[name]))),
};

const asJson: Format = {
  head: '',
  text: (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
};

async function exportPayouts(period: Period, nowMs: number, { head, text }: Format): Promise<ExportTotals> {
  const totals = new Totals();
  const print = async (joined: AsyncIterable<ExportedPayout[]>) => {
    for await (const lines of joined) {
      for (const line of lines) totals.add(line);
      await write(text(lines));
    }
  };
  await withTemporal(async ({ client, taskQueue }) => {
    const join = new PayoutJoin(ourPayouts(client, taskQueue), period, nowMs);
    try {
      await write(head);
      for await (const part of serviceList(client, taskQueue, period.fromMs)) await print(join.take(part));
      await print(join.finish());
    } catch (error) {
      console.error('What was printed is only a part of the export, and there are no totals.');
      throw error;
    }
  });
  return totals.view();
}

/** As fast as the reader takes it, so that nothing piles up in memory. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
