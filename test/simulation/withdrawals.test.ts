import { expect, test } from 'vitest';
import { plan, step } from './found/plan.js';
import type { OperatorAction } from './plan.js';
import { Simulation } from './simulation.js';

const steps = Array.from({ length: 20 }, (_, at) => at + 1);

test.for<OperatorAction>(['abandon', 'cancel'])(
  'nothing is sent after an order to %s, at whichever wait, read or scan of a payout that waits to be sent it comes',
  async (action) => {
    let unsent = 0;
    for (const at of steps) {
      const happenings = [step(at, action)];
      const simulation = new Simulation(
        plan('payout', { outages: [{ from: 0, lasts: 5, of: 'sends' }], happenings }),
      );
      await simulation.live();
      const { run, service } = simulation;
      const cameAt = run.recorded.find((entry) => 'came' in entry)?.at ?? Infinity;
      expect(service.sent.filter(({ scheduledAt }) => scheduledAt > cameAt)).toEqual([]);
      if (service.sent.length === 0) unsent += 1;
    }
    expect(unsent).toBeGreaterThan(5);
  },
);
