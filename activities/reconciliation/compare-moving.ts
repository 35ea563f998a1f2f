import type { PaymentListing } from '../../src/contract/http/lists.js';
import { isAsListed } from '../../src/domain/reconciling.js';
import type { PayoutRecord } from '../../src/payments-service/result.js';
import { codeOf, type Comparison } from './comparison.js';
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
  const compared = new Set<PayoutRecord | undefined>();
  const ownById = new Map<string, PaymentListing>();
  // In the order in which a payout goes through them, so that one that moves on meanwhile is seen.
  for (const status of ['claimed', 'processing']) {
    for await (const { payouts: records } of scanPayouts(deps, { status })) {
      found.count.reads += 1;
      found.count.records += records.length;
      for (const record of records) {
        found.addListed(record);
        if (record.id === null) nameless.push(record);
        else listed.set(identifierKey(record.id), record);
        const code = codeOf(record);
        if (code !== undefined) listedByCode.set(code, record);
      }
    }
  }
  for await (const payouts of deps.openPayouts('moving')) {
    for (const own of payouts) {
      found.count.compared += 1;
      const key = identifierKey(own.service_id ?? '');
      const named = listed.get(key);
      const isOurs = named !== undefined && [undefined, own.partner_code].includes(codeOf(named));
      const other = ownById.get(key);
      const isShared = other !== undefined && other.workflow_id !== own.workflow_id;
      if (named !== undefined && (!isOurs || isShared)) await found.reportShared(named, own, other);
      ownById.set(key, own);
      // The service may use other identifiers in its list than elsewhere.
      const record = isOurs ? named : listedByCode.get(own.partner_code ?? '');
      compared.add(record);
      if (record?.status === own.status) continue;
      found.changed.add(own.partner_code, own.service_id);
      await found.hint(own, record?.status);
    }
  }
  // Under way there, and here failed, of unknown outcome or over.
  const others = [...listed.values(), ...nameless].filter((record) => !compared.has(record));
  const ownerOf = await found.ownersOf(others);
  for (const record of others) {
    const owners = ownerOf(record);
    await found.reportAmbiguous(record, owners);
    const { own } = owners;
    if (own === undefined || isAsListed(own.status, record.status)) continue;
    found.changed.add(own.partner_code, record.id);
    await found.hint(own, record.status);
  }
}
