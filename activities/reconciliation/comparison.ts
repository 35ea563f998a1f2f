import { heartbeat } from '@temporalio/activity';
import type { PaymentListing } from '../../src/contract/http/lists.js';
import type { Reconciliation } from '../../src/contract/reconciliation.js';
import { payoutOfAttempt } from '../../src/domain/reconciling.js';
import type { PayoutRecord } from '../../src/payments-service/result.js';
import type { ReconciliationDeps } from '../shared/deps.js';
import { Findings } from './findings.js';
import { identifierKey } from '../../src/domain/service-ids.js';

export type Comparison = ReturnType<typeof comparison>;

/** How many records are looked up at once. */
const lookUpAtOnce = 100;
const plainId = /^[\w.:-]{1,128}$/;

/** What a reconciliation finds, and the payouts it hints, each once. */
export function comparison({ hintPayout, payoutsOf }: ReconciliationDeps) {
  const changed = new Findings();
  const missing = new Findings();
  const orphans = new Findings();
  const mismatches = new Findings();
  const hinted = new Set<string>();
  const count = { reads: 0, records: 0, compared: 0, hinted: 0 };

  return {
    changed,
    missing,
    orphans,
    mismatches,
    count,

    /** Makes a payout of ours read its status now. One that is being submitted answers for itself. */
    async hint(own: PaymentListing, status?: string | null): Promise<void> {
      if (own.closed || own.status === 'submitting' || hinted.has(own.workflow_id)) return;
      hinted.add(own.workflow_id);
      if (await hintPayout(own.workflow_id, status ?? undefined)) count.hinted += 1;
      heartbeat();
    },

    /** The payouts of ours that records of the service may belong to; answers who owns a given one. */
    async ownersOf(
      records: readonly PayoutRecord[],
    ): Promise<(record: PayoutRecord) => PaymentListing | undefined> {
      const byId = new Map<string, PaymentListing>();
      const byCode = new Map<string, PaymentListing>();
      for (let at = 0; at < records.length; at += lookUpAtOnce) {
        const some = records.slice(at, at + lookUpAtOnce);
        const codes = some.map(codeOf).filter((code) => code !== undefined);
        const ids = some.map(({ id }) => id).filter((id) => id !== null && plainId.test(id));
        for (const own of await payoutsOf(
          [...new Set(codes)],
          ids.filter((id) => id !== null),
        )) {
          if (own.service_id !== null) {
            const key = identifierKey(own.service_id);
            byId.set(key, latestRun(own, byId.get(key)));
          }
          if (own.partner_code !== null) {
            byCode.set(own.partner_code, latestRun(own, byCode.get(own.partner_code)));
          }
        }
        heartbeat();
      }
      return (record) => byId.get(identifierKey(record.id ?? '')) ?? byCode.get(codeOf(record) ?? '');
    },

    report: (full: boolean): Reconciliation => ({
      full,
      ...count,
      changed: changed.view(),
      missing: missing.view(),
      orphans: orphans.view(),
      mismatches: mismatches.view(),
    }),
  };
}

/** After a reset a payout has a run that was ended and one that goes on: that one stands for it. */
function latestRun(one: PaymentListing, other: PaymentListing = one): PaymentListing {
  if (one.closed !== other.closed) return one.closed ? other : one;
  return one.started_at > other.started_at ? one : other;
}

function codeOf({ partnerCode }: PayoutRecord): string | undefined {
  return partnerCode === null ? undefined : payoutOfAttempt(partnerCode);
}
