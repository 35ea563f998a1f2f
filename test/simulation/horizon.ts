import type { Plan } from './plan.js';
import { Violation } from './violation.js';

const dayMs = 86_400_000;
const horizonDays: Record<Plan['kind'], number> = {
  payout: 60,
  refund: 60,
  account_validation: 10,
  card_order: 260,
  hosted_checkout: 260,
  three_d_secure_order: 260,
};
/** A life that takes more steps than these spins. */
const mostStepsAtOnce = 2_000;
const mostStepsADay = 1_000;

/** How long a payment of a kind is simulated at most. */
export function horizonMs(kind: Plan['kind']): number {
  return horizonDays[kind] * dayMs;
}

/** Throws a Violation when a payment has taken more steps in this time than one that waits for something needs. */
export function checkComesToRest(steps: number, tookMs: number): void {
  const days = tookMs / dayMs;
  if (steps <= mostStepsAtOnce + days * mostStepsADay) return;
  throw new Violation('a payment comes to rest', `${String(steps)} steps in ${String(days)} days`);
}
