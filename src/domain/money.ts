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

/** The decimal text of an amount in centavos, always with two places: 1990 → "19.90". */
export function decimalText(centavos: number): string {
  const digits = String(centavos).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The JSON number that the wire carries for an amount in centavos: 1990 → 19.9. */
export function toDecimal(centavos: number): number {
  return Number(decimalText(centavos));
}

/** An amount as people read it: 123450 → "R$ 1234.50". */
export function formatAmount(centavos: number): string {
  return `R$ ${decimalText(centavos)}`;
}
