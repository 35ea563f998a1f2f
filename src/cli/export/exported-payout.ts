import type { PaymentListing } from '../../client.js';
import type { ListedPayout } from '../../contract/payout-list.js';
import { decimalText, toCentavos } from '../../domain/money.js';
import { isSameIdentifier, withoutCard } from '../../domain/service-ids.js';
import { differencesOf, numberOf } from './payout-differences.js';
import type { PayoutDifference } from './payout-differences.js';

/** One line of the export. Amounts are decimal texts in reais; null is an empty cell. */
export type ExportedPayout = {
  readonly partner_code: string | null;
  readonly attempt: number | null;
  readonly service_id: string | null;
  readonly value: string | null;
  readonly fee: string | null;
  readonly tax: string | null;
  readonly total: string | null;
  readonly claimed_at: string | null;
  readonly paid_at: string | null;
  readonly provider: string | null;
  /** At the service; null when it does not list the payout. */
  readonly status: string | null;
  readonly our_status: string | null;
  readonly our_cause: string | null;
  readonly started_by: string | null;
  readonly difference: PayoutDifference | null;
};

export const exportColumns = [
  ...(['partner_code', 'attempt', 'service_id', 'value', 'fee', 'tax', 'total'] as const),
  ...(['claimed_at', 'paid_at', 'provider', 'status'] as const),
  ...(['our_status', 'our_cause', 'started_by', 'difference'] as const),
] satisfies readonly (keyof ExportedPayout)[];

/** The records that the service lists for one payout of ours. */
export function linesOf(own: PaymentListing, records: readonly ListedPayout[]): ExportedPayout[] {
  const differences = differencesOf(own, records);
  return records.map((record, at) => {
    const attempt = numberOf(own, record);
    const isOurs = attempt !== null || isSameIdentifier(record.id, own.service_id);
    return { ...ofService(record, isOurs), ...ofUs(own), attempt, difference: differences[at] ?? null };
  });
}

/** A record that no payout of ours stands behind; null as its difference while that is not known. */
export function foreignLine(record: ListedPayout, difference: 'not_ours' | null): ExportedPayout {
  const ours = { our_status: null, our_cause: null, started_by: null };
  const code = { partner_code: withoutCard(record.partner_code), attempt: null };
  return { ...ofService(record, false), ...ours, ...code, difference };
}

/** A payout that has an identifier of the service, and that the service does not list. */
export function unlistedLine(own: PaymentListing): ExportedPayout {
  const centavos = own.value === null ? undefined : toCentavos(own.value);
  return {
    ...ofUs(own),
    ...{ attempt: null, service_id: own.service_id, fee: null, tax: null, total: null },
    value: centavos === undefined ? null : decimalText(centavos),
    ...{ claimed_at: null, paid_at: null, provider: null, status: null },
    difference: 'only_ours',
  };
}

/** The identifier of what is not ours may be anything. */
function ofService(record: ListedPayout, isOurs: boolean) {
  const { id, value, fee, tax, total, claimed_at, paid_at, provider, status } = record;
  const service_id = isOurs ? id : withoutCard(id);
  return { service_id, value, fee, tax, total, claimed_at, paid_at, provider, status };
}

function ofUs({ partner_code, status, cause, started_by }: PaymentListing) {
  return { partner_code, our_status: status, our_cause: cause, started_by };
}
