import { expect, test } from 'vitest';
import { faults } from '../../scripts/drills/torture-plan.mjs';
import { callFaults } from './plan.js';

test('the drill has each fault that a plan draws, and no other', () => {
  expect(Object.keys(faults).sort()).toEqual([...callFaults].sort());
});
