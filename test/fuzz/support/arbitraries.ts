import fc from 'fast-check';

/** A card that must never come back. */
export const pan = '4111111111111111';

/** The forms in which a card may come in. */
const card = fc.constantFrom<unknown>(
  ...[
    pan,
    Number(pan),
    `card ${pan}`,
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    `+${pan}`,
    `${pan}@example.com`,
    '4111\u20131111\u20131111\u20131111',
    '4111\u200b1111\u200b1111\u200b1111',
    '４１１１ １１１１ １１１１ １１１１',
    '4111    1111 * 1111 | 1111',
    '%34111%31111%201111%2D1111',
    '%2534111111111111111',
    '4111\u202e1111\u00ad1111\ufeff1111',
    '٤١١١١١١١١١١١١١١١',
    '④①①①①①①①①①①①①①①①',
    encodeURIComponent('４１１１１１１１１１１１１１１１'),
  ],
  ...[{ [pan]: pan }, [pan], { number: pan, cvv: '123' }, { a: [{ toString: { number: Number(pan) } }] }],
  ...[{ valueOf: pan }, { constructor: { number: pan } }, { a: { hasOwnProperty: [pan] } }],
);

/** Whether the card stands in a value, in a text or a field's name of its own, whatever separates its digits. */
export function holdsTheCard(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).some(([name, inner]) => holdsTheCard(name) || holdsTheCard(inner));
  }
  return [String(value), decoded(String(value))].some((text) =>
    text
      .normalize('NFKC')
      .replaceAll(/[٠-٩]/g, (digit) => String((digit.codePointAt(0) ?? 0) - 0x660))
      .replaceAll(/[^\d\p{L}]/gu, '')
      .includes(pan),
  );
}

/** Every text of a value, the names of fields among them. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
  }
  return typeof value === 'string' ? [value] : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(decodeURIComponent(text));
  } catch {
    return text;
  }
}

/** What every object of JavaScript has without having been given it. */
export const inheritedNames = Object.getOwnPropertyNames(Object.prototype);

/** Texts that parsers stumble over: long, repetitive, of other alphabets, halves of escapes. */
export const strangeText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc
    .tuple(
      fc.constantFrom('1', '1 ', '4-', '.', ',', '-r1', '%', '<', '{"a":', '[', 'a@', ' ', 'é', '\u0000'),
      fc.nat(4_000),
    )
    .map(([unit, times]) => unit.repeat(times)),
  // As long as a body may be.
  fc.constantFrom('<', '<script', 'a\n', '１', '%31').map((unit) => unit.repeat(65_536 / unit.length)),
  fc.constantFrom(...inheritedNames),
  fc.constantFrom('', 'null', '-0', '1e309', '\ud800', '\u202e', '%00', '../..'),
);

/** Whatever JSON can carry, cards among it. */
export const strangeValue = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue() },
  { weight: 2, arbitrary: strangeText },
  { weight: 2, arbitrary: card },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(-0, 1e300, 1e-7, 0.1 + 0.2, 2 ** 53, -1, null, true) },
);

/** An object as it should be, with one of its fields, at whatever depth, replaced, renamed or dropped. */
export function spoilt(body: object): fc.Arbitrary<unknown> {
  const entries = Object.entries(body) as [string, unknown][];
  if (entries.length === 0) return strangeValue;
  return fc.constantFrom(...entries).chain(([name, value]) => {
    const deeper = typeof value === 'object' && value !== null ? [spoilt(value)] : [];
    return fc.oneof(
      ...[strangeValue, ...deeper].map((other) => other.map((replaced) => ({ ...body, [name]: replaced }))),
      strangeText.map((renamed) => ({ ...without(body, name), [renamed]: value })),
      fc.constant(without(body, name)),
      fc
        .tuple(fc.constantFrom(...inheritedNames), fc.oneof(card, strangeValue))
        .map(([added, content]) => ({ ...body, [added]: content })),
    );
  });
}

function without(body: object, name: string): object {
  return Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));
}
