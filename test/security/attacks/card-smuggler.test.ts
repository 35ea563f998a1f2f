import { describe, expect, test } from 'vitest';
import { cardOrderInput, hostedCheckoutInput, threeDSecureOrderInput } from '../../../src/contract/order.js';
import { payoutInput } from '../../../src/contract/payout.js';
import { mayHoldPan, withoutLongDigits, withoutPans } from '../../../src/domain/cards.js';
import { inheritedNames } from '../../fuzz/support/arbitraries.js';
import { cardOrder, pixPayout } from '../../gateway/requests.js';
import { leastProcessorMs } from '../../support/processor-time.js';

const pan = '5555555555554444';
// No part of it may look like one of a card.
const code = 'two-books';
const { credit_card: _card, ...order } = cardOrder(code);
const customer: object = order.customer;

describe('a card in a field that bears the name of a member of every object', () => {
  test.for(inheritedNames)('%s is refused in each open object, as it is or nested', (name) => {
    for (const content of [
      pan,
      Number(pan),
      { number: pan, cvv: '737' },
      [[{ cvv: '737' }]],
      { a: { b: pan } },
    ]) {
      const added = JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(content)}}`) as object;
      const bodies = [
        { ...order, customer: withMember(customer, added) },
        { ...order, address: added },
        { ...order, risk: added },
      ];
      for (const body of bodies) {
        for (const schema of [cardOrderInput, hostedCheckoutInput, threeDSecureOrderInput]) {
          const parsed = schema.safeParse(body);
          expect(JSON.stringify(everything(parsed.data) ?? null)).not.toMatch(/5555|737/);
        }
      }
      const payout = payoutInput.safeParse(withMember({ ...pixPayout(code), method: 'pix' }, added));
      expect(JSON.stringify(everything(payout.data) ?? null)).not.toMatch(/5555|737/);
    }
  });

  test('is refused by that name', () => {
    const parsed = cardOrderInput.safeParse({ ...order, risk: { toString: { number: pan } } });
    expect(parsed.error?.issues).toMatchObject([{ path: ['risk', 'toString'] }]);
  });
});

describe('an open object is refused', () => {
  const refused = (member: object) =>
    !cardOrderInput.safeParse({ ...order, customer: { ...customer, ...member } }).success;

  test.for(['card', 'credit_card', 'CardNumber', 'pan', 'cvv', 'CVV2', 'cvc', 'security_code', 'track_data'])(
    'for a field %s, whatever stands in it',
    (name) => {
      for (const content of ['737', 737, 'none', true]) expect(refused({ [name]: content })).toBe(true);
    },
  );

  test.for([
    Number(pan),
    -Number(pan),
    Number(pan) * 1_000,
    Number(pan) / 100,
    4_111_111_111_111_111_000_000,
    41_111_111_111_111.11,
  ])('for the number %d, for its digits are those of a card', (number) => {
    expect(refused({ anything: number })).toBe(true);
  });

  test.for([0.4111111111111111, 5.5, -46.63, 1_795_480_000_000, 11_987_654_321])(
    'not for the number %d',
    (number) => {
      expect(refused({ anything: number })).toBe(false);
    },
  );

  test('for a text or a name that is longer than any that the service is known to take', () => {
    expect(refused({ anything: 'x'.repeat(2_048) })).toBe(false);
    expect(refused({ anything: 'x'.repeat(2_049) })).toBe(true);
    expect(refused({ ['x'.repeat(64)]: true })).toBe(false);
    expect(refused({ ['x'.repeat(65)]: true })).toBe(true);
  });

  test('for a field whose name is a card number', () => {
    for (const name of [pan, '5555 5555 5555 4444', '５５５５－５５５５－５５５５－４４４４'])
      expect(refused({ [name]: 'x' })).toBe(true);
  });

  test('but not for any other field', () => {
    expect(refused({ loyalty: 'gold', visits: 12, returning: true })).toBe(false);
  });
});

/** As JSON.parse has it: `__proto__` becomes a field like any other. */
function withMember(body: object, added: object): object {
  const copy: object = { ...body };
  for (const [name, value] of Object.entries(added))
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** What is inherited, too: a field named `__proto__` may have become the prototype. */
function everything(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  const own = Object.entries(value).map(([name, content]): unknown => [name, everything(content)]);
  return prototype === Object.prototype || prototype === Array.prototype ? own : [own, everything(prototype)];
}

describe('a card number', () => {
  const groupings: readonly [string, (separator: string) => string][] = [
    ['in fours', (separator) => ['5555', '5555', '5555', '4444'].join(separator)],
    ['digit by digit', (separator) => [...pan].join(separator)],
    ['after other digits', (separator) => ['12', '5555', '5555', '5555', '4444', '7'].join(separator)],
  ];
  const separators = [
    ...['-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\ufe63', '\uff0d'],
    ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u202e', '\u2066'],
    ...[' ', '    ', ' '.repeat(200), '\u00a0', '\u2003', '\u3000', '\t', '\n'],
    ...['*', '|', ':', '/', '.', ',', '_', '·', '•', ' - ', '\u0301', '😀', '(', '", "'],
  ];
  test.for(separators.map((separator) => [JSON.stringify(separator), separator] as const))(
    'separated by %s is found, refused and taken out',
    ([, separator]) => {
      for (const [, grouped] of groupings) {
        const text = `the card ${grouped(separator)} of mine`;
        expect(mayHoldPan(text)).toBe(true);
        expect(mayHoldPan(withoutPans(text))).toBe(false);
        expect(mayHoldPan(withoutLongDigits(text))).toBe(false);
        const payout = { ...pixPayout(), method: 'pix', first_name: grouped(separator).slice(0, 64) };
        if (grouped(separator).length <= 64) expect(payoutInput.safeParse(payout).success).toBe(false);
      }
    },
  );

  const encoded = [...pan].map((digit) => `%3${digit}`).join('');
  const wide = encodeURIComponent('５５５５５５５５５５５５４４４４');
  test.for([
    encoded,
    encoded.replaceAll('%', '%25'),
    encoded.replaceAll('%', '%2525'),
    `5555%2D5555%2d5555%E2%80%934444`,
    `%ff${encoded}`,
    wide,
    `https://hooks.example.com/${encoded}?card=1`,
  ])('that is percent-encoded as %j is found, refused and taken out', (text) => {
    expect(mayHoldPan(text)).toBe(true);
    for (const clean of [withoutPans(text), withoutLongDigits(text)]) {
      expect(mayHoldPan(clean)).toBe(false);
      expect(clean).not.toContain('5555');
    }
    for (const notify of [{ webhook: text }, { workflow_id: text, signal: 'a' }])
      expect(payoutInput.safeParse({ ...pixPayout(), method: 'pix', notify }).success).toBe(false);
  });

  test('is not seen in times, amounts, tax ids, phones and accounts', () => {
    const texts = [
      ...['2026-11-21T14:23:24.123Z', '2026-11-21 14:23:24', 'R$ 1.234.567,89', 'from 10:00 to 18:30'],
      ...['100%, 50%25 and 3%', 'https://a.example/%41%42%C3%A9?q=%20'],
      ...['529.982.247-25', '11.222.333/0001-81', '+55 (11) 98765-4321', 'agency 1234-5, account 123456-7'],
    ];
    expect(texts.filter(mayHoldPan)).toEqual([]);
    expect(texts.map(withoutPans)).toEqual(texts);
  });

  test.for([
    '1',
    '1 ',
    '5 ',
    '4\u200b',
    '6.',
    '37',
    '1\u200b',
    '１',
    '٣ ',
    '1' + ' '.repeat(1_000),
    '\u200b',
    '５\u2013',
    '\ufdfa',
    '4111-',
    '%34',
    '%2534',
    '%25',
    '%ff%31',
    '\u0301\u0323',
    '4\u0323\u0301\u0316',
    'ﾞ',
  ])('is looked for in 64 KiB of %j in linear time', (unit) => {
    const text = unit.repeat(65_536 / unit.length);
    // Far below what a quadratic search takes, and far above what a slow machine needs.
    expect(leastProcessorMs(() => withoutLongDigits(text))).toBeLessThan(1_000);
  });
});
