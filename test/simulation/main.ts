import fc from 'fast-check';
import { kinds, type Plan, type SimulatedKind } from './plan.js';
import { plansOf } from './plans.js';
import { Simulation } from './simulation.js';
import { Violation } from './violation.js';

/** What simulating so many payments of one kind has shown. */
export type Outcome = {
  readonly kind: SimulatedKind;
  readonly payments: number;
  readonly steps: number;
  /** The smallest plan that breaks an invariant, which one, and the first so many payments; undefined when all hold. */
  readonly broken: { readonly plan: Plan; readonly why: string; readonly after: number } | undefined;
};

/** Refusals are errors, and a simulation makes many: nobody reads where each was made. */
export function withoutStacks<Result>(run: () => Promise<Result>): Promise<Result> {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  return run().finally(() => {
    Error.stackTraceLimit = limit;
  });
}

/** Simulates payments of one kind by plans that the seed determines; a plan that breaks an invariant is shrunk. */
export async function simulate(kind: SimulatedKind, payments: number, seed: number): Promise<Outcome> {
  let lived = 0;
  let steps = 0;
  const property = fc.asyncProperty(plansOf(kind), async (plan) => {
    const simulation = new Simulation(plan);
    await simulation.live();
    lived += 1;
    steps += simulation.steps;
  });
  const details = await withoutStacks(() => fc.check(property, { numRuns: payments, seed }));
  const [plan] = details.counterexample ?? [];
  const broken =
    plan === undefined ? undefined : { plan, why: String(details.errorInstance), after: details.numRuns };
  return { kind, payments: lived, steps, broken };
}

/** Lives one plan; undefined when every invariant holds. */
export async function repeat(plan: Plan): Promise<{ why: string | undefined; simulation: Simulation }> {
  const simulation = new Simulation(plan);
  try {
    await withoutStacks(() => simulation.live());
    return { why: undefined, simulation };
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return { why: error.message, simulation };
  }
}

export { kinds };
