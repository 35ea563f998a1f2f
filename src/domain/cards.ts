/** The card brands that the service documents. */
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
    const digit = pan.charCodeAt(pan.length - 1 - i) - 48;
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return pan.length > 0 && sum % 10 === 0;
}

/** How far the clocks of the last place on earth are behind UTC. */
const latestZoneMs = 12 * 3_600_000;

/** Whether the month of a due date of the form MM/YYYY is over everywhere. */
export function isExpired(dueDate: string, now: Date): boolean {
  const [month = 0, year = 0] = dueDate.split('/').map(Number);
  return Date.UTC(year, month) + latestZoneMs <= now.getTime();
}

/** Thirteen or more digits with anything between them but letters: no grouping hides a card number. */
const spreadDigits = /\d(?:[^\p{L}\d]*\d){12,}/gu;
/** Groups of digits with at most a few words between them. */
const spreadGroups = /(?<!\d)\d+(?:\D{1,12}\d+){2,}/gu;
/** How cards show their number, as lengths of groups. */
const printedGroups = [
  [4, 4, 4, 4],
  [4, 4, 4, 1],
  [4, 6, 4],
  [4, 6, 5],
  [4, 4, 4, 4, 2],
  [4, 4, 4, 4, 3],
];
/** Digits as people write one long number: nothing but a few blanks, dots or dashes between them. */
const longNumber = /\d(?:[\s._/-]{0,3}\d){11,}/g;

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
 * Whether a text holds what could be a PAN: digits of a card brand's length and beginning with a valid check digit, in
 * any script and however they are grouped; also next to other digits, if anything separates them, and with letters between
 * groups as cards show them. Linear time.
 */
export function mayHoldPan(text: string): boolean {
  const decoded = percentDecoded(text);
  return holdsPan(plainDigits(text)) || (decoded !== text && holdsPan(plainDigits(decoded)));
}

/** Below it the digits of a number are those of a score or a rate, which chance makes look like a card's. */
const shortestCardNumber = 1_000_000;

const allDigits = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: 21 });

/** Whether a number's digits are a card's, whatever its sign, its point and the zeros at its end. */
export function numberMayHoldPan(content: number): boolean {
  if (Math.abs(content) < shortestCardNumber) return false;
  const shown = allDigits.format(content);
  if (mayHoldPan(shown)) return true;
  const digits = shown.replaceAll(/\D/g, '');
  const significant = digits.replace(/0+$/, '');
  const lengths = Array.from({ length: 20 }, (_, length) => length);
  return lengths.some(
    (length) => length >= significant.length && length <= digits.length && mayBePan(digits.slice(0, length)),
  );
}

/** Takes what could be a PAN out of a text, and leaves other digits. */
export function withoutPans(text: string): string {
  const decoded = percentDecoded(text);
  const hidden = decoded !== text && holdsPan(plainDigits(decoded));
  const plain = plainDigits(hidden ? decoded : text);
  const cleaned = plain
    .replaceAll(spreadDigits, (run) => (groupsHoldPan(run) ? '…' : run))
    .replaceAll(spreadGroups, (run) => (groupsShowPan(run) ? '…' : run));
  return cleaned === plain ? text : cleaned;
}

/** A PAN in any grouping that people or programs write is shorter. */
const longestPan = 256;

/**
 * The first `length` characters of a text, without what could be a PAN; `hide` takes it out. No more of the text is searched
 * than needed. A PAN that the end of the searched part splits is none to `hide`: that end becomes `…`.
 */
export function beginningWithoutPans(text: string, length: number, hide = withoutPans): string {
  const searched = length + longestPan;
  const clean = hide(text.slice(0, searched));
  return (text.length > searched ? `${clean.slice(0, -longestPan)}…` : clean).slice(0, length);
}

function holdsPan(plain: string): boolean {
  return (
    (plain.match(spreadDigits) ?? []).some(groupsHoldPan) ||
    (plain.match(spreadGroups) ?? []).some(groupsShowPan)
  );
}

const timesEncoded = 3;

/** What an address says once it is decoded, and decoded again. */
function percentDecoded(text: string): string {
  let decoded = text;
  for (let time = 0; time < timesEncoded && decoded.includes('%'); time += 1)
    decoded = decoded.replaceAll(/(?:%[\da-f]{2})+/gi, decodedRun);
  return decoded;
}

function decodedRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run.replaceAll(/%[0-7][\da-f]/gi, (one) => String.fromCharCode(parseInt(one.slice(1), 16)));
  }
}

/**
 * Full-width, circled and raised digits, and those of other scripts, become 0 to 9. A piece at a time: to put many
 * combining marks into their order takes the square of their number.
 */
function plainDigits(text: string): string {
  return text
    .replaceAll(/\P{ASCII}{1,64}/gu, (piece) => piece.normalize('NFKC'))
    .replaceAll(/(?!\d)\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

const digitValues = new Map<string, number>();

/** In Unicode the ten digits of a script follow each other, from its zero. */
function digitValue(digit: string): number {
  const known = digitValues.get(digit);
  if (known !== undefined) return known;
  const codePoint = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value += 1;
  digitValues.set(digit, value);
  return value;
}

const panLengths = Object.keys(issuers).map(Number);

/** Whether the digits of some groups in a row could be a PAN. */
function groupsHoldPan(run: string): boolean {
  const groups = run.split(/\D+/);
  const digits = groups.join('');
  const isBorder = Array<boolean>(digits.length + 1).fill(false);
  let border = 0;
  for (const group of groups) isBorder[(border += group.length)] = true;
  let first = 0;
  return groups.some((group) => {
    const from = first;
    first += group.length;
    return panLengths.some(
      (length) => isBorder[from + length] === true && mayBePan(digits.slice(from, from + length)),
    );
  });
}

/** Whether some groups in a row are as long as those on a card, and could be its PAN. */
function groupsShowPan(run: string): boolean {
  const groups = run.split(/\D+/);
  return groups.some((_, first) =>
    printedGroups.some(
      (lengths) =>
        lengths.every((length, at) => groups[first + at]?.length === length) &&
        mayBePan(groups.slice(first, first + lengths.length).join('')),
    ),
  );
}

/** Takes whatever could be a PAN out of a text, so that an error never repeats one. */
export function withoutLongDigits(text: string): string {
  return withoutPans(text).replaceAll(longNumber, '…');
}
