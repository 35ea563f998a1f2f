import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedSeed } from '../fuzz/support/runs.js';
import { decimalText, formatAmount, maxCentavos, statedCentavos } from '../../src/domain/money.js';
import { toCentavos, toDecimal } from '../../src/domain/money.js';

describe('an amount on the wire', () => {
  test.for([
    [19.9, 1990],
    [150, 15_000],
    [0.01, 1],
    [99_999_999.99, 9_999_999_999],
    [1.1, 110],
  ] as const)('%s is %s centavos', ([value, centavos]) => {
    expect(toCentavos(value)).toBe(centavos);
  });

  const huge = [1e300, 100_000_000, Infinity, Number.MAX_SAFE_INTEGER];
  test.for([0, -1, 1.001, 0.1 + 0.2, 1e-7, Number.NaN, ...huge])('%s is none', (value) => {
    expect(toCentavos(value)).toBeUndefined();
  });

  test('survives the way in and out, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: maxCentavos }), (centavos) => {
        expect(toCentavos(toDecimal(centavos))).toBe(centavos);
        expect(toCentavos(Number(JSON.stringify(toDecimal(centavos))))).toBe(centavos);
      }),
      fixedSeed,
    );
  });

  test('is shown with two places', () => {
    expect(decimalText(5)).toBe('0.05');
    expect(decimalText(1990)).toBe('19.90');
    expect(formatAmount(123_450)).toBe('R$ 1234.50');
  });
});

describe('an amount that the service states', () => {
  test.for([
    [0, '0.00'],
    [-0.5, '-0.50'],
    ['12.340', '12.34'],
    [1e12, '1000000000000.00'],
    ['-10', '-10.00'],
  ] as const)('%s is %s', ([value, text]) => {
    expect(decimalText(statedCentavos(value) ?? 1n)).toBe(text);
  });

  const cards = [4_111_111_111_119, '-4111111111119.00', '41111111111.19'];

  test.for([0.125, '1,50', '', ' 1', 1e15, 1e-7, Number.NaN, '0x10', ...cards])('%s is none', (value) => {
    expect(statedCentavos(value)).toBeUndefined();
  });
});
