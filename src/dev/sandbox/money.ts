/** Integer centavos of a wire number, read from its decimal text; undefined unless positive with at most two decimals. */
export function centavosOf(value: number): number | undefined {
  const parts = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(value));
  if (parts === null) return undefined;
  const centavos = Number(`${parts[1] ?? ''}${(parts[2] ?? '').padEnd(2, '0')}`);
  return centavos > 0 && Number.isSafeInteger(centavos) ? centavos : undefined;
}

/** Exact decimal text, two places: 1050 → "10.50". */
export function decimalText(centavos: number): string {
  const digits = String(Math.abs(centavos)).padStart(3, '0');
  return `${centavos < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The JSON number of an amount, as the service writes it: 1050 → 10.5. */
export function wireNumber(centavos: number): number {
  return Number(decimalText(centavos));
}
