import { describe, expect, test } from 'vitest';
import {
  beginningWithoutPans,
  isExpired,
  mayBePan,
  mayHoldPan,
  passesLuhn,
  withoutLongDigits,
  withoutPans,
} from '../../src/domain/cards.js';

const visa = '4111111111111111';

/** Digits that begin so, are so many, and have a valid check digit. */
function panLike(beginning: string, length: number): string {
  const digits = beginning.padEnd(length - 1, '0');
  const check = [...'0123456789'].find((digit) => passesLuhn(digits + digit)) ?? '';
  return digits + check;
}

describe('a check digit', () => {
  test.for([
    ['79927398713', true],
    ['79927398710', false],
    ['0', true],
    ['18', true],
    ['59', true],
    ['91', true],
    ['', false],
  ] as const)('of %j is valid: %s', ([pan, isValid]) => {
    expect(passesLuhn(pan)).toBe(isValid);
  });
});

describe('a number with a valid check digit', () => {
  test.for([
    [13, ['4'], ['3', '5', '14']],
    [14, ['30', '36', '38', '39'], ['31', '35', '43', '130']],
    [15, ['34', '37'], ['33', '38', '43', '134']],
    [16, ['22', '27', '3', '4', '5', '6'], ['21', '28', '1', '7', '12', '02', '14']],
    [17, ['50', '56', '59', '6'], ['51', '55', '4', '7', '150']],
    [18, ['50', '56', '59', '6'], ['51', '55', '4', '7', '150']],
    [19, ['4', '50', '56', '6'], ['3', '51', '7', '14']],
  ] as const)('of %s digits may be a PAN when it begins as %j, and not as %j', ([length, pans, others]) => {
    for (const beginning of pans) expect(mayBePan(panLike(beginning, length))).toBe(true);
    for (const beginning of others) expect(mayBePan(panLike(beginning, length))).toBe(false);
  });
  test.for([12, 20])('of %s digits is none', (length) => {
    expect(mayBePan(panLike('4', length))).toBe(false);
  });
});

describe('a card number in a text', () => {
  test.for([
    ['of full-width digits', '４１１１１１１１１１１１１１１１'],
    ['of Arabic digits', '٤١١١١١١١١١١١١١١١'],
    ['of Devanagari digits', '४१११११११११११११११'],
    ['of circled digits', '⑤⑤⑤⑤⑤⑤⑤⑤⑤⑤⑤⑤④④④④'],
    ['of raised digits', '⁵⁵⁵⁵⁵⁵⁵⁵⁵⁵⁵⁵⁴⁴⁴⁴'],
    ['of bold digits', '𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟒𝟒𝟒𝟒'],
    ['of mixed digits', '५555-٥٥٥٥-5555-4444'],
    ['between slashes and dots', '4111/1111.1111-1111'],
    ['over two lines', '4111 1111\n1111 1111'],
    ['encoded as in an address', '%34%31%31%31111111111111'],
    ['encoded three times', '%252534111111111111111'],
    ['encoded beside what is no valid encoding', `%ff%34111111111111111`],
    ['after another number', `11 98765 ${visa}`],
    ['before another number', `${visa} 11 98765`],
    ['before its CVV', `${visa}/123`],
    ['before its due date', '6062825624254001 12/2030'],
    ['of thirteen digits, in JSON', '{"n":"4222222222222"}'],
    ['of nineteen digits', `my card ${panLike('6', 19)}`],
    ['with letters between its groups', 'my card: 12 4111a1111 e 1111 mais 1111, 7'],
    ['of fifteen digits with letters between', 'amex 3782 depois 822463 e 10005'],
  ] as const)('%s is noticed, and taken out', ([, text]) => {
    expect(mayHoldPan(text)).toBe(true);
    expect(mayHoldPan(withoutPans(text))).toBe(false);
    expect(withoutPans(text)).toContain('…');
  });
  test.for([
    ['whose check digit is wrong', '4111111111111112'],
    ['that no brand begins', panLike('1', 16)],
    ['divided by letters as no card is', '411a11111b1111c1111'],
    ['hidden in a longer number', `9${visa}9`],
    ['encoded, with a wrong check digit', '%34111111111111112'],
    ['of a boleto', 'boleto 34191790010104351004791020150008291070026000'],
    ['of two moments', '1763680000000 and 1763680000001, 2026-11-20 10:11:12.123456'],
    ['of a UUID', 'b7e23ec2-9af2-4b0b-a1d2-0123456789ab'],
    ['of few full-width digits', '１２３'],
    ['of signs that are no encoding', '100 % of 4 or %zz'],
  ] as const)('%s is none, and the text stays as it is', ([, text]) => {
    expect(mayHoldPan(text)).toBe(false);
    expect(withoutPans(text)).toBe(text);
  });
  test('is taken out alone: the words around it stay', () => {
    expect(withoutPans(`card ${visa}, thanks`)).toBe('card …, thanks');
  });
  test.for([
    ['at its end', 'x'.repeat(90)],
    ['where the search ends, behind others that became short', `${visa} and `.repeat(16)],
  ] as const)('that a cut splits %s is not shown in part', ([, before]) => {
    const shown = beginningWithoutPans(`${before} ${visa.split('').join(' ')} and more`.padEnd(1_000), 100);
    expect(shown).not.toMatch(/\d/);
    expect(shown.length).toBeLessThanOrEqual(100);
  });
  test('and any other long number is taken out of an error, a short one is not', () => {
    expect(withoutLongDigits('boleto 34191.79001 01043.510047, thanks')).toBe('boleto …, thanks');
    expect(withoutLongDigits('123456789012')).toBe('…');
    expect(withoutLongDigits('12345678901')).toBe('12345678901');
    expect(withoutLongDigits('1234    56789012')).toBe('1234    56789012');
    expect(withoutLongDigits(`card ${visa}`)).toBe('card …');
  });
});

describe('a due date', () => {
  test.for([
    ['12/2026', '2026-12-31T23:59:59Z', false],
    ['11/2026', '2026-11-30T22:30:00-03:00', false],
    ['12/2026', '2027-01-01T00:00:00-12:00', true],
    ['12/2026', '2026-12-31T23:59:59-12:00', false],
    ['01/2027', '2026-12-31T00:00:00Z', false],
    ['01/2027', '2027-02-01T12:00:00Z', true],
    ['11/2027', '2026-12-01T00:00:00Z', false],
  ] as const)('%s is over at %s: %s', ([dueDate, now, isOver]) => {
    expect(isExpired(dueDate, new Date(now))).toBe(isOver);
  });
});
