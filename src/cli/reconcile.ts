import { Command } from 'commander';
import type { ReconciliationReport } from '../client.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';
import { table } from './shared/tables.js';

/** `durable-payments reconcile` */
export function reconcileCommand(): Command {
  return new Command('reconcile')
    .description("Compare the service's list of payouts with ours now; those that changed read their status.")
    .option('--full', 'compare all payouts of two weeks: orphans, missing ones, other values')
    .addOption(jsonOption())
    .action(async ({ full, ...options }: JsonOption & { full?: true }) => {
      print(
        await withPayments((payments) => payments.reconcile({ full: full === true })),
        options,
        reportText,
      );
    });
}

function reportText(report: ReconciliationReport): string {
  const { full, compared, records, reads, hinted } = report;
  const findings = {
    changed: report.changed,
    ambiguous: report.ambiguous,
    ...(full ? { missing: report.missing, orphans: report.orphans, mismatches: report.mismatches } : {}),
  };
  const head =
    `${String(compared)} open payouts compared with ${String(records)} records of the service in ` +
    `${String(reads)} reads; ${String(hinted)} payouts read their status now.`;
  const counts = table(
    ['finding', 'payouts'],
    Object.entries(findings).map(([name, { count }]) => [name, String(count)]),
  );
  const rows = Object.entries(findings).flatMap(([name, { payouts }]) =>
    payouts.map(({ partner_code, service_id }) => [name, partner_code ?? '', service_id ?? '']),
  );
  if (rows.length === 0) return `${head}\n${counts}`;
  return `${head}\n${counts}\n${table(['finding', 'partner_code', 'at the service'], rows)}`;
}
