import { expect, test } from 'vitest';
import { latestInstantMs } from '../../src/payments-service/instants.js';

test.each([
  ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
  ['2026-01-01T10:00:00.123-03:00', '2026-01-01T13:00:00.123Z'],
  ['2026-01-01T10:00:00', '2026-01-01T22:00:00Z'],
  ['2026-01-01 10:00:00', '2026-01-01T22:00:00Z'],
])('%s is %s at the latest', (text, latest) => {
  expect(latestInstantMs(text)).toBe(Date.parse(latest));
});

test.each([null, '', 'yesterday', '2026-01-01', '1767261600', '2026-13-01T10:00:00Z'])(
  '%s is no time',
  (text) => {
    expect(latestInstantMs(text)).toBeUndefined();
  },
);
