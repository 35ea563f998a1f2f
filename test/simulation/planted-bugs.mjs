import { bugsOfOrdersAndRefunds } from './planted-bugs/orders-and-refunds.mjs';
import { bugsOfPayoutsAfterAReset } from './planted-bugs/payouts-after-a-reset.mjs';
import { bugsOfPayouts } from './planted-bugs/payouts.mjs';

/**
 * Bugs that `npm run simulate -- --control` plants one at a time: in one place of one file, found within so many
 * simulated payments. One that is missed shows that an invariant, or a plan, is too weak.
 */
export const plantedBugs = [...bugsOfPayouts, ...bugsOfPayoutsAfterAReset, ...bugsOfOrdersAndRefunds];
