import { expect, test, vi } from 'vitest';
import { withModule } from '../../scripts/bundled.mjs';
import { longTests } from '../support/waiting.js';
import type * as Exploration from './main.js';

// A search that is under way is not stuck, however slow the machine is.
vi.setConfig(longTests);

/** Bundled, as by `npm run explore`: loaded module by module, it takes half as long again. */
const { explore } = await withModule(
  'test/exploration/main.ts',
  undefined,
  (address) => import(address) as Promise<typeof Exploration>,
);

/** Deeper by `npm run explore`: `.ci/run full` has a payout make four moves, which takes longer than all of these. */
test.each([
  ['payout', 3],
  ['card_order', 4],
  ['hosted_checkout', 3],
  ['three_d_secure_order', 3],
  ['refund', 3],
] as const)('no sequence of a %s of up to %d moves breaks an invariant', async (kind, depth) => {
  const bounds = { attempts: 2, resets: 1, changes: 1, states: Infinity };
  const { broken, isComplete, states } = await explore(kind, { ...bounds, depth });
  expect(broken).toBeUndefined();
  expect(isComplete).toBe(true);
  expect(states).toBeGreaterThan(1_000);
});
