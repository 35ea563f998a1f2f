import { expect, test } from 'vitest';
import { AtOnce } from '../../../src/gateway/http/at-once.js';

test('a caller has no more under way than the most, whatever others have', () => {
  const atOnce = new AtOnce(2);
  const first = atOnce.take('shop');
  expect(atOnce.take('shop')).not.toBeNull();
  expect(atOnce.take('shop')).toBeNull();
  expect(atOnce.take('market', 2)).not.toBeNull();
  first?.();
  expect(atOnce.take('shop', 2)).toBeNull();
  expect(atOnce.take('shop')).not.toBeNull();
});

test('what is given back twice makes room once', () => {
  const atOnce = new AtOnce(2);
  const first = atOnce.take('shop');
  atOnce.take('shop');
  first?.();
  first?.();
  expect(atOnce.take('shop')).not.toBeNull();
  expect(atOnce.take('shop')).toBeNull();
});
