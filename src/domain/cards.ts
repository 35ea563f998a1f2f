/** The card brands that the service documents (§2 Credit card object). */
export const cardBrands = [
  'visa',
  'master',
  'amex',
  'elo',
  'aura',
  'jcb',
  'diners',
  'discover',
  'hipercard',
  'hiper',
  'sorocred',
] as const;

/** The check digit of a PAN by Luhn's formula. */
export function passesLuhn(pan: string): boolean {
  let sum = 0;
  for (let i = 0; i < pan.length; i += 1) {
    const digit = Number(pan[pan.length - 1 - i]);
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return pan.length > 0 && sum % 10 === 0;
}

/** Whether a due date of the form MM/YYYY lies in a month before the one of `now` (UTC). */
export function isExpired(dueDate: string, now: Date): boolean {
  const [month = 0, year = 0] = dueDate.split('/').map(Number);
  return year * 12 + (month - 1) < now.getUTCFullYear() * 12 + now.getUTCMonth();
}

/** Whether a text holds what could be a PAN: a run of 13 to 19 digits, perhaps grouped, with a valid check digit. */
export function mayHoldPan(text: string): boolean {
  const runs = text.match(/\d(?:[ .-]?\d){12,}/g) ?? [];
  return runs.some((run) => {
    const digits = run.replaceAll(/\D/g, '');
    return digits.length <= 19 && /^[2-6]/.test(digits) && passesLuhn(digits);
  });
}

const longDigits = /\d(?:[ .-]?\d){11,}/g;

/** Takes whatever could be a PAN out of a text, so that an error never repeats one. */
export function withoutLongDigits(text: string): string {
  return text.replaceAll(longDigits, '…');
}
