import fc from 'fast-check';
import { kinds, type Plan, type SimulatedKind } from './plan.js';
import { plansOf } from './plans.js';
import { Simulation } from './simulation.js';

export { kinds };

/** Plans of one kind, by a seed. */
export function plans(kind: SimulatedKind, payments: number, seed: number): Plan[] {
  return fc.sample(plansOf(kind), { numRuns: payments, seed });
}

/** All that a user sees of a payment that lives a plan: each state that differs from the one before, and why it broke. */
export async function trace(plan: Plan): Promise<string[]> {
  const simulation = new Simulation(plan);
  const { invariants } = simulation;
  const seen: string[] = [];
  const afterStep = () => {
    const state = JSON.stringify(simulation.run.living.payment.view());
    if (state !== seen.at(-1)) seen.push(state);
  };
  const judged = invariants.afterStep.bind(invariants);
  invariants.afterStep = () => {
    afterStep();
    judged();
  };
  try {
    await simulation.live();
  } catch (error) {
    seen.push(String(error));
  }
  const ids = new Map<string, number>();
  // The service draws its identifiers by chance.
  return seen.map((state) =>
    state.replaceAll(/\b\d{7,}\b/g, (id) => {
      ids.set(id, ids.get(id) ?? ids.size + 1);
      return `id-${String(ids.get(id))}`;
    }),
  );
}
