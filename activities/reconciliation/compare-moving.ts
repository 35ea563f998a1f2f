import { isAsListed, payoutOfAttempt } from '../../src/domain/reconciling.js';
import type { PayoutRecord } from '../../src/payments-service/result.js';
import type { Comparison } from './comparison.js';
import type { ReconciliationDeps } from '../shared/deps.js';
import { scanPayouts } from '../shared/scan-payouts.js';
import { identifierKey } from '../../src/domain/service-ids.js';

/**
 * Compares what the service lists as under way with our payouts that are: a few pages instead of a read each. Who is
 * listed as we know it is left alone.
 */
export async function compareMoving(deps: ReconciliationDeps, found: Comparison): Promise<void> {
  const listed = new Map<string, PayoutRecord>();
  const listedByCode = new Map<string, PayoutRecord>();
  const nameless: PayoutRecord[] = [];
  // In the order in which a payout goes through them, so that one that moves on meanwhile is seen.
  for (const status of ['claimed', 'processing']) {
    for await (const { payouts: records } of scanPayouts(deps, { status })) {
      found.count.reads += 1;
      found.count.records += records.length;
      for (const record of records) {
        if (record.id === null) nameless.push(record);
        else listed.set(identifierKey(record.id), record);
        const code = record.partnerCode === null ? undefined : payoutOfAttempt(record.partnerCode);
        if (code !== undefined) listedByCode.set(code, record);
      }
    }
  }
  for await (const payouts of deps.openPayouts('moving')) {
    for (const own of payouts) {
      found.count.compared += 1;
      // The service may use other identifiers in its list than elsewhere.
      const record =
        listed.get(identifierKey(own.service_id ?? '')) ?? listedByCode.get(own.partner_code ?? '');
      listed.delete(identifierKey(record?.id ?? ''));
      if (record?.status === own.status) continue;
      found.changed.add(own.partner_code, own.service_id);
      await found.hint(own, record?.status);
    }
  }
  // Under way there, and here failed, of unknown outcome or over.
  const others = [...listed.values(), ...nameless];
  const ownerOf = await found.ownersOf(others);
  for (const record of others) {
    const own = ownerOf(record);
    if (own === undefined || isAsListed(own.status, record.status)) continue;
    found.changed.add(own.partner_code, record.id);
    await found.hint(own, record.status);
  }
}
