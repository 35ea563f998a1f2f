import { isAsListed } from '../../src/domain/reconciling.js';
import type { PayoutRecord } from '../../src/payments-service/result.js';
import type { Comparison } from './comparison.js';
import type { OwnPaymentsDeps } from '../shared/deps.js';
import { walkPayouts } from '../shared/walk-payouts.js';

/**
 * Compares what the service lists as under way with our payouts that are: a few pages instead of a read each. Who is
 * listed as we know it is left alone.
 */
export async function compareMoving(deps: OwnPaymentsDeps, found: Comparison): Promise<void> {
  const listed = new Map<string, PayoutRecord>();
  const nameless: PayoutRecord[] = [];
  // In the order in which a payout goes through them, so that one that moves on meanwhile is seen.
  for (const status of ['claimed', 'processing']) {
    for await (const records of walkPayouts(deps, { status })) {
      found.count.reads += 1;
      found.count.records += records.length;
      for (const record of records) {
        if (record.id === null) nameless.push(record);
        else listed.set(record.id, record);
      }
    }
  }
  for await (const payouts of deps.openPayouts('moving')) {
    for (const own of payouts) {
      found.count.compared += 1;
      const record = listed.get(own.service_id ?? '');
      listed.delete(own.service_id ?? '');
      if (record?.status === own.status) continue;
      found.changed.add(own.partner_code, own.service_id);
      await found.hint(own, record?.status);
    }
  }
  // Under way there, and here failed, in doubt or over.
  const others = [...listed.values(), ...nameless];
  const ownerOf = await found.ownersOf(others);
  for (const record of others) {
    const own = ownerOf(record);
    if (own === undefined || isAsListed(own.status, record.status)) continue;
    found.changed.add(own.partner_code, record.id);
    await found.hint(own, record.status);
  }
}
