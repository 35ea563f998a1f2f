import type { PaymentListing } from '../../src/contract/http/lists.js';
import { fullScanBackMs, isAsListed, isUnfollowed, tooYoungMs } from '../../src/domain/reconciling.js';
import { toCentavos } from '../../src/domain/money.js';
import { latestInstantMs } from '../../src/payments-service/instants.js';
import type { PayoutRecord } from '../../src/payments-service/result.js';
import type { Comparison } from './comparison.js';
import type { ReconciliationDeps } from '../shared/deps.js';
import { endOfScan, scanPayouts } from '../shared/scan-payouts.js';
import { isSameIdentifier } from '../../src/domain/service-ids.js';

/** Compares all that the service lists of the last two weeks with all of ours, both ways. */
export async function compareAll(deps: ReconciliationDeps, found: Comparison): Promise<void> {
  const nowMs = deps.now();
  const horizonMs = nowMs - fullScanBackMs;
  const isComparable = (timeMs: number | undefined) =>
    timeMs === undefined || (timeMs >= horizonMs && timeMs < nowMs - tooYoungMs);
  const isPast = endOfScan(horizonMs);

  for await (const page of scanPayouts(deps)) {
    const records = page.payouts;
    found.count.reads += 1;
    found.count.records += records.length;
    const ownerOf = await found.ownersOf(records);
    for (const record of records) {
      const { isRepeated, twinId } = found.addListed(record);
      if (isRepeated) continue;
      const { partnerCode: code, id } = record;
      const owners = ownerOf(record);
      await found.reportAmbiguous(record, owners);
      const { own } = owners;
      if (own === undefined) {
        if (isComparable(latestInstantMs(record.claimedAt))) found.orphans.addListed(code, id);
        continue;
      }
      // Two records for one attempt: nobody here owns both.
      if (twinId !== undefined)
        found.orphans.addListed(code, isSameIdentifier(id, own.service_id) ? twinId : id);
      if (isOld(own, nowMs) && nobodyFollows(own, record)) found.orphans.add(code, id);
      await compare(record, own, found);
    }
    if (isPast(page)) break;
  }

  for await (const payouts of deps.openPayouts('all')) {
    for (const own of payouts) {
      found.count.compared += 1;
      const isListed = own.service_id === null || found.isListed(own.service_id);
      if (isListed || !isComparable(Date.parse(own.started_at))) continue;
      found.missing.add(own.partner_code, own.service_id);
      await found.hint(own);
    }
  }
}

/** What has just changed, or closed, may be listed as it was. */
function isOld({ started_at: startedAt, updated_at: updatedAt }: PaymentListing, nowMs: number): boolean {
  return Date.parse(updatedAt ?? startedAt) < nowMs - tooYoungMs;
}

function nobodyFollows(own: PaymentListing, { id, status }: PayoutRecord): boolean {
  // A previous attempt has failed for good when a later one is done.
  const isPrevious = !isSameIdentifier(id, own.service_id) && status === 'error';
  return !isPrevious && isUnfollowed({ closedAs: own.closed_as, status: own.status }, status);
}

async function compare(record: PayoutRecord, own: PaymentListing, found: Comparison): Promise<void> {
  if (!isSameIdentifier(record.id, own.service_id)) {
    // Another attempt of the same payout: failed, or it moves.
    if (record.status !== 'error') await found.hint(own, record.status);
    return;
  }
  const requested = own.value === null ? undefined : toCentavos(own.value);
  const isStated = record.valueCentavos !== null || record.valueUnclear !== undefined;
  const isOther = isStated && requested !== undefined && record.valueCentavos !== requested;
  if (isOther) found.mismatches.add(own.partner_code, own.service_id);
  const isChanged = !isAsListed(own.status, record.status);
  if (isChanged) found.changed.add(own.partner_code, own.service_id);
  if (isOther || isChanged) await found.hint(own, record.status);
}
