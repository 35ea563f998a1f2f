import { formatAmount } from './money.js';
import { isSameIdentifier } from './service-ids.js';

/** What a record of the service shows; null where it shows nothing. */
type Shown = {
  readonly service_id: string | null;
  readonly partner_code: string | null;
  readonly value_centavos: number | null;
  /** What it shows in place of an exact amount of reais. */
  readonly value_unclear?: string;
};

/** A payout of the service, as a read or its list shows it; null where it shows nothing. */
export type PayoutShown = Shown & { readonly status: string | null };

/** What was asked for. */
type Wanted = { serviceId: string; partnerCode: string; rightCentavos: RightCentavos };

/** The amounts that are right: first what was asked for, where 0 is not known, then what operators have accepted. */
type RightCentavos = readonly number[];

/** What speaks against a reading being of the order that was asked for; null when nothing does. */
export function orderMisfit({ serviceId, partnerCode, rightCentavos }: Wanted, shown: Shown): string | null {
  const { service_id: id, partner_code: code } = shown;
  if (id !== null && !isSameIdentifier(id, serviceId)) {
    return `The service answered with order ${id} when asked for ${serviceId}.`;
  }
  const isOther = code !== null && code !== partnerCode;
  return (
    amountMisfit(rightCentavos, shown) ?? (isOther ? `The service shows the partner_code ${code}.` : null)
  );
}

/** What speaks against a record being of this attempt, whatever its identifier; null when nothing does. */
export function payoutMisfit(
  { partnerCode }: { partnerCode: string },
  rightCentavos: RightCentavos,
  shown: Shown,
): string | null {
  const { partner_code: code } = shown;
  const isOther = code !== null && code !== partnerCode;
  return (
    amountMisfit(rightCentavos, shown, ` for ${partnerCode}`) ??
    (isOther ? `The service shows the partner_code ${code} for ${partnerCode}.` : null)
  );
}

function amountMisfit(
  [asked = 0, ...accepted]: RightCentavos,
  { value_centavos: value, value_unclear: unclear }: Shown,
  of = '',
) {
  if (unclear !== undefined && asked !== 0) {
    return `The service shows the value ${unclear}${of}, which is no exact amount of reais; asked for were ${formatAmount(asked)}.`;
  }
  if (value === null || asked === 0 || value === asked || accepted.includes(value)) return null;
  return `The service shows ${formatAmount(value)}${of}, asked for were ${formatAmount(asked)}.`;
}
