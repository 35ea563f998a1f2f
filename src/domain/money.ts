import { mayHoldPan } from './cards.js';

/** The largest amount that one payment may carry, in centavos: R$ 99,999,999.99. */
export const maxCentavos = 9_999_999_999;

const decimalWithTwoPlaces = /^(\d+)(?:\.(\d{1,2}))?$/;

/**
 * Reads a JSON number as exact centavos. Answers undefined when the number is not positive, has more than
 * two decimals, or is beyond {@link maxCentavos}. Works on the number's shortest decimal form, so no float
 * arithmetic ever touches money.
 */
export function toCentavos(value: number): number | undefined {
  const match = decimalWithTwoPlaces.exec(String(value));
  if (match === null) return undefined;
  const [, whole = '', cents = ''] = match;
  const centavos = Number(whole + cents.padEnd(2, '0'));
  return centavos > 0 && centavos <= maxCentavos ? centavos : undefined;
}

/** Stands where the service states an amount that can't be read exactly. */
export const unreadableAmount = 'unreadable';

const decimalOfAnySign = /^(-?\d{1,13})(?:\.(\d{1,2})0*)?$/;

/**
 * Reads what the service states of an amount, such as a fee, as exact centavos: a number or its text, which may be
 * zero or negative. Undefined when it has more than two decimals, or more digits than a JSON number carries exactly, and
 * when it could be a card number.
 */
export function statedCentavos(value: number | string): bigint | undefined {
  const match = decimalOfAnySign.exec(String(value));
  const [, whole = '', cents = ''] = match ?? [];
  if (match === null || mayHoldPan(`${whole}.${cents}`)) return undefined;
  return BigInt(whole + cents.padEnd(2, '0'));
}

/** The decimal text of an amount in centavos, always with two places: 1990 → "19.90". */
export function decimalText(centavos: number | bigint): string {
  const text = String(centavos);
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.slice(sign.length).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The JSON number that the wire carries for an amount in centavos: 1990 → 19.9. */
export function toDecimal(centavos: number): number {
  return Number(decimalText(centavos));
}

/** An amount as people read it: 123450 → "R$ 1234.50". */
export function formatAmount(centavos: number): string {
  return `R$ ${decimalText(centavos)}`;
}
