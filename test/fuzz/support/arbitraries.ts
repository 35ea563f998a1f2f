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
  ],
  ...[{ [pan]: pan }, [pan], { number: pan, cvv: '123' }],
);

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
