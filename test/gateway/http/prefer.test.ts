import { expect, test } from 'vitest';
import { sendingOf } from '../../../src/gateway/payments/commands.js';

test.for([
  [undefined, undefined],
  ['return=minimal', undefined],
  ['wait=5', 5_000],
  ['wait=0', 0],
  ['return=minimal, wait=7', 7_000],
  ['respond-async', 0],
  ['respond-async, wait=3', 3_000],
] as const)('with Prefer: %s a command has its outcome waited for %s ms', ([prefer, waitMs]) => {
  expect(sendingOf({ headers: { prefer } })).toEqual({ waitMs });
});
