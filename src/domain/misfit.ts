import { formatAmount } from './money.js';

/** What a record of the service shows; null where it shows nothing. */
type Shown = { service_id: string | null; partner_code: string | null; value_centavos: number | null };

/** What was asked for; an amount of 0 is not known. */
type Wanted = { serviceId: string; partnerCode: string; centavos: number };

/** What speaks against a reading being of the order that was asked for; null when nothing does. */
export function orderMisfit({ serviceId, partnerCode, centavos }: Wanted, shown: Shown): string | null {
  const { service_id: id, value_centavos: value, partner_code: code } = shown;
  if (id !== null && id !== serviceId) {
    return `The service answered with order ${id} when asked for ${serviceId}.`;
  }
  if (value !== null && centavos !== 0 && value !== centavos) {
    return `The service shows ${formatAmount(value)}, asked for were ${formatAmount(centavos)}.`;
  }
  return code !== null && code !== partnerCode ? `The service shows the partner_code ${code}.` : null;
}

/** What speaks against a record being of this attempt, whatever its identifier; null when nothing does. */
export function payoutMisfit({ partnerCode }: { partnerCode: string }, centavos: number, shown: Shown) {
  const { value_centavos: value, partner_code: code } = shown;
  if (value !== null && value !== centavos) {
    return `The service shows ${formatAmount(value)} for ${partnerCode}, asked for were ${formatAmount(centavos)}.`;
  }
  const isOther = code !== null && code !== partnerCode;
  return isOther ? `The service shows the partner_code ${code} for ${partnerCode}.` : null;
}
