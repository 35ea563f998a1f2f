import { heartbeat } from '@temporalio/activity';
import type { PaymentListing } from '../../src/contract/http/lists.js';
import type { Reconciliation } from '../../src/contract/reconciliation.js';
import { payoutOfAttempt } from '../../src/domain/reconciling.js';
import type { PayoutRecord } from '../../src/payments-service/result.js';
import type { ReconciliationDeps } from '../shared/deps.js';
import { Findings } from './findings.js';
import { identifierKey } from '../../src/domain/service-ids.js';

/** Our payout that a record belongs to, by its code or else by its identifier, and our others with its identifier. */
export type Owners = { readonly own: PaymentListing | undefined; readonly others: readonly PaymentListing[] };

export type Comparison = ReturnType<typeof comparison>;

/** How many records are looked up at once. */
const lookUpAtOnce = 100;

/** What a reconciliation finds, and the payouts it hints, each once. */
export function comparison({ hintPayout, payoutsOf }: ReconciliationDeps) {
  const changed = new Findings();
  const ambiguous = new Findings();
  const missing = new Findings();
  const orphans = new Findings();
  const mismatches = new Findings();
  const codesById = new Map<string, string | null>();
  const idsByCode = new Map<string, string | null>();
  const hinted = new Set<string>();
  const count = { reads: 0, records: 0, compared: 0, hinted: 0 };

  return {
    changed,
    ambiguous,
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
    async ownersOf(records: readonly PayoutRecord[]): Promise<(record: PayoutRecord) => Owners> {
      const byId = new Map<string, Map<string, PaymentListing>>();
      const byCode = new Map<string, PaymentListing>();
      for (let at = 0; at < records.length; at += lookUpAtOnce) {
        const some = records.slice(at, at + lookUpAtOnce);
        const codes = some.map(codeOf).filter((code) => code !== undefined);
        const ids = some.map(({ id }) => id).filter((id) => id !== null);
        for (const own of await payoutsOf([...new Set(codes)], ids)) {
          if (own.service_id !== null) {
            const key = identifierKey(own.service_id);
            const runs = byId.get(key) ?? new Map<string, PaymentListing>();
            byId.set(key, runs.set(own.workflow_id, latestRun(own, runs.get(own.workflow_id))));
          }
          if (own.partner_code !== null) {
            byCode.set(own.partner_code, latestRun(own, byCode.get(own.partner_code)));
          }
        }
        heartbeat();
      }
      return (record) => {
        const named = [...(byId.get(identifierKey(record.id ?? ''))?.values() ?? [])];
        // By the code first: it is unique, while the service may have given one identifier twice.
        const own = byCode.get(codeOf(record) ?? '') ?? named[0];
        return { own, others: named.filter(({ workflow_id: id }) => id !== own?.workflow_id) };
      };
    },

    /**
     * Notes a record of the list. `isRepeated`: it was listed before, as pages shift. `twinId`: the identifier of another
     * record with its partner_code.
     */
    addListed({ id, partnerCode: code }: PayoutRecord): {
      isRepeated: boolean;
      twinId: string | null | undefined;
    } {
      const key = id === null ? null : identifierKey(id);
      const codeBefore = key === null ? undefined : codesById.get(key);
      const twinId = code === null ? undefined : idsByCode.get(code);
      if (codeBefore === code) return { isRepeated: true, twinId: undefined };
      if (codeBefore != null && code !== null) {
        ambiguous.addListed(codeBefore, id);
        ambiguous.addListed(code, id);
      }
      if (twinId != null && id !== null) {
        ambiguous.addListed(code, twinId);
        ambiguous.addListed(code, id);
      }
      if (key !== null) codesById.set(key, code);
      if (code !== null) idsByCode.set(code, id);
      return { isRepeated: false, twinId };
    },

    isListed: (id: string) => codesById.has(identifierKey(id)),

    /** Reports a record whose identifier several of our payouts have, or one of ours with another code. */
    async reportAmbiguous(record: PayoutRecord, { others, own }: Owners): Promise<void> {
      const code = codeOf(record);
      const isOtherCode = own !== undefined && record.partnerCode !== null && code !== own.partner_code;
      if (others.length > 0 || isOtherCode) await this.reportShared(record, own, ...others);
    },

    /** Reports payouts that have the identifier of a record, which belongs to one of them at most, and hints them. */
    async reportShared(record: PayoutRecord, ...payouts: (PaymentListing | undefined)[]): Promise<void> {
      ambiguous.addListed(record.partnerCode, record.id);
      for (const own of payouts) {
        if (own === undefined) continue;
        ambiguous.add(own.partner_code, own.service_id);
        await this.hint(own, record.status);
      }
    },

    report: (full: boolean): Reconciliation => ({
      full,
      ...count,
      changed: changed.view(),
      ambiguous: ambiguous.view(),
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

/** The partner_code of the payout that a record is an attempt of. */
export function codeOf({ partnerCode }: PayoutRecord): string | undefined {
  return partnerCode === null ? undefined : payoutOfAttempt(partnerCode);
}
