import { bugsOfOrdersAndRefunds } from './planted-bugs/orders-and-refunds.mjs';
import { bugsOfTheLoop } from './planted-bugs/loop.mjs';
import { bugsOfTheMark } from './planted-bugs/mark.mjs';
import { bugsOfPayoutsAfterAReset } from './planted-bugs/payouts-after-a-reset.mjs';
import { bugsOfPayouts } from './planted-bugs/payouts.mjs';
import { bugsThatWereFound } from './planted-bugs/reviewed.mjs';

/**
 * Bugs that the control of the simulation and of the exploration plants one at a time, in one place of one file. One that
 * both miss shows that an invariant, a plan or a model is too weak.
 */
export const plantedBugs = [
  ...bugsOfPayouts,
  ...bugsOfPayoutsAfterAReset,
  ...bugsOfOrdersAndRefunds,
  ...bugsThatWereFound,
  ...bugsOfTheLoop,
  ...bugsOfTheMark,
].flat();
