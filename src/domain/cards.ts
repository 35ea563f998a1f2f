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

/** Digits that may stand apart by a few blanks, dots, dashes or the like, as people write card numbers. */
const apart = String.raw`[\s._/-]{0,3}`;
const thirteenOrMore = new RegExp(String.raw`\d(?:${apart}\d){12,}`, 'g');
const twelveOrMore = new RegExp(String.raw`\d(?:${apart}\d){11,}`, 'g');

/** How PANs of each length begin, over the brands above and those that share their ranges. */
const issuers: Readonly<Record<number, RegExp>> = {
  13: /^4/,
  14: /^3[0689]/,
  15: /^3[47]/,
  16: /^(2[2-7]|[3-6])/,
  17: /^(50|5[6-9]|6)/,
  18: /^(50|5[6-9]|6)/,
  19: /^(4|50|5[6-9]|6)/,
};

/** Whether digits alone could be a PAN: a length and a beginning that card brands use, and a valid check digit. */
export function mayBePan(digits: string): boolean {
  return issuers[digits.length]?.test(digits) === true && passesLuhn(digits);
}

/**
 * Whether a text holds what could be a PAN: digits, perhaps grouped, of a card brand's length and beginning with a
 * valid check digit; also next to other digits, if anything parts them.
 */
export function mayHoldPan(text: string): boolean {
  return (text.match(thirteenOrMore) ?? []).some(groupsHoldPan);
}

/** Takes what could be a PAN out of a text, and leaves other digits. */
export function withoutPans(text: string): string {
  return text.replaceAll(thirteenOrMore, (run) => (groupsHoldPan(run) ? '…' : run));
}

function groupsHoldPan(run: string): boolean {
  const groups = run.split(/\D+/);
  return groups.some((_, first) => {
    let digits = '';
    for (const group of groups.slice(first, first + 19)) {
      digits += group;
      if (digits.length > 19) return false;
      if (mayBePan(digits)) return true;
    }
    return false;
  });
}

/** Takes whatever could be a PAN out of a text, so that an error never repeats one. */
export function withoutLongDigits(text: string): string {
  return text.replaceAll(twelveOrMore, '…');
}
