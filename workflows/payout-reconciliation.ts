import { log, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { OwnPaymentsActivities } from '../activities/index.js';
import type {
  Finding,
  PayoutReconciliationInput,
  ReconciliationReport,
} from '../src/contract/reconciliation.js';
import { missedRuns } from '../src/domain/reconciling.js';

/**
 * One comparison of the service's list of payouts with ours, on a Schedule: a few pages show which of a thousand open
 * payouts have changed, and only those read for themselves. A full comparison, once a day, also reports what does not fit.
 *
 * Endpoint: `GET /v1/payouts`.
 */
export async function payoutReconciliation(input?: PayoutReconciliationInput): Promise<ReconciliationReport> {
  const startedAt = Date.now();
  const full = input?.full === true;
  const notRunSince = endOfLastRun(full, startedAt);
  if (notRunSince !== null) {
    log.error('The reconciliation of payouts had not run. Find out who paused or changed its Schedule.', {
      not_run_since: notRunSince,
    });
  }
  // Safe to retry: it reads, and gives hints that cost a read at most.
  const { reconcilePayouts } = proxyActivities<OwnPaymentsActivities>({
    startToCloseTimeout: full ? '3 hours' : '30 minutes',
    heartbeatTimeout: '2 minutes',
    // What fails is due again soon; only the full comparison of the day has to come about.
    retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumAttempts: full ? 8 : 3 },
    summary: full ? 'compare all payouts of two weeks' : 'compare the payouts under way',
  });
  const found = await reconcilePayouts({ full });
  const report: ReconciliationReport = {
    ...found,
    started_at: new Date(startedAt).toISOString(),
    finished_at: new Date().toISOString(),
    not_run_since: notRunSince,
  };
  setCurrentDetails(details(report));
  return report;
}

/** When the last run of the Schedule ended, if runs were missed since; else null. */
function endOfLastRun(full: boolean, startedAt: number): string | null {
  const last = workflowInfo().lastResult as Partial<ReconciliationReport> | undefined;
  const endedAt = last?.finished_at;
  return endedAt !== undefined && missedRuns(full, Date.parse(endedAt), startedAt) ? endedAt : null;
}

function details(report: ReconciliationReport): string {
  const { full, compared, records, reads, hinted, not_run_since: notRunSince } = report;
  const missed = `**It had not run since ${String(notRunSince)}.** Find out who paused or changed its Schedule, or why no worker ran.`;
  return [
    ...(notRunSince === null ? [] : [missed, '']),
    `### ${full ? 'Full comparison' : 'Comparison'} of ${String(compared)} open payouts with ${String(records)} records of the service`,
    '',
    `It took ${String(reads)} reads. ${String(hinted)} payouts were asked to read their status; what they read counts, this report moves nothing.`,
    '',
    line(
      'changed',
      'the status there is another than here, or no longer listed as under way',
      report.changed,
    ),
    line(
      'ambiguous',
      'one identifier under two partner_codes, or one partner_code under two identifiers; ask the service which of them it has paid',
      report.ambiguous,
    ),
    ...(full
      ? [
          line('missing', 'known here and not in the list of the service; ask the service', report.missing),
          line(
            'orphans',
            'at the service and followed by nobody here; find out who made them, or ended their workflows',
            report.orphans,
          ),
          line('mismatches', 'listed with another value than was asked for', report.mismatches),
        ]
      : []),
  ].join('\n');
}

function line(name: string, meaning: string, { count, payouts }: Finding): string {
  const some = payouts
    .slice(0, 10)
    .map(({ partner_code, service_id }) => plain(partner_code ?? service_id ?? '?'));
  const listed = some.length === 0 ? '' : `: ${some.join(', ')}${count > some.length ? ', …' : ''}`;
  return `- **${name}: ${String(count)}** (${meaning})${listed}`;
}

/** Codes of the service's records are not ours: no Markdown of theirs. */
function plain(code: string): string {
  return code.replaceAll(/[^\w.-]/g, '·');
}
