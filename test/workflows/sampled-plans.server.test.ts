import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { kinds, type Plan } from '../simulation/plan.js';
import { plansOf } from '../simulation/plans.js';
import { test } from '../support/payments.js';
import { livePlan } from '../support/planned/planned-payment.js';
import { freshCode } from '../support/requests.js';

// Plans of the simulation on the real workflows and activities, while time skips: SAMPLED_PLANS of each lifecycle that
// moves money, drawn by SAMPLED_SEED; or SAMPLED_PLAN, one that a failure has printed. This server knows no reset and no
// restore, and no worker dies here: these are left to the simulation and to `npm run torture`.
const { SAMPLED_PLAN, SAMPLED_PLANS = '1', SAMPLED_SEED = '1093' } = process.env;

const plans = SAMPLED_PLAN === undefined ? sampled() : [JSON.parse(SAMPLED_PLAN) as Plan];

describe('whatever happens to a payment', () => {
  test.for(plans.map((plan, index) => ({ plan, name: `${plan.kind} ${String(index)}` })))(
    'nothing is sent twice, and what was acknowledged is followed or needs an operator ($name)',
    async ({ plan }, { stack }) => {
      expect(await livePlan(stack, plan, freshCode()), JSON.stringify(plan)).toEqual([]);
    },
  );
});

function sampled(): Plan[] {
  const moving = kinds.filter((kind) => kind !== 'account_validation');
  return moving.flatMap((kind, index) =>
    fc.sample(plansOf(kind).map(withoutResets), {
      numRuns: Number(SAMPLED_PLANS),
      seed: Number(SAMPLED_SEED) + index,
    }),
  );
}

/** With what such a server can bring about: no reset and no restore. */
function withoutResets(plan: Plan): Plan {
  return {
    ...plan,
    happenings: plan.happenings.filter(({ what }) => !['reset', 'restore'].includes(what.do)),
  };
}
