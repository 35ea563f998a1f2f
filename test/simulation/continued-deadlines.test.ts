import { expect, test } from 'vitest';
import { spans } from '../../src/domain/cadence.js';
import { asked, becomes, plan } from './found/plan.js';
import type { SimulatedKind } from './plan.js';
import { Simulation } from './simulation.js';

/** For the calls before it, and for the next read of a payout, which alone notices it. */
const latestMs = 3_600_000;

const deadlines: [SimulatedKind, string, string, number][] = [
  ['payout', 'claimed', '(overdue)', spans.payoutDoneMs],
  ['refund', 'refund_processing', '(refund_unconfirmed)', spans.refundConfirmationMs],
  ['card_order', 'waiting_payment', '(overdue)', spans.orderSettlementMs],
  ['hosted_checkout', 'waiting_payment', 'Its time is over', spans.checkoutMs],
  ['three_d_secure_order', 'waiting_payment', 'Its time is over', spans.authenticationMs],
  ['account_validation', 'awaiting_answer', 'No answer came in time', spans.validationAnswerMs],
];

test.for(deadlines)(
  'the deadline of a %s counts from its start, though each of its waits continues as new',
  async ([kind, status, words, spanMs]) => {
    const lives = [[becomes(status, 0)]];
    const happenings = [asked(0, 'provide_card')];
    const simulation = new Simulation(plan(kind, { lives, happenings, continuesOneIn: 1 }));
    const startedAt = simulation.clock.now;
    await simulation.live();
    const { facts, living } = simulation.run;
    const passed = living.payment.record.data.timeline.find(({ what }) => what.includes(words));
    const lateMs = Date.parse(passed?.at ?? '') - startedAt - spanMs;
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(latestMs);
    expect(facts.runId).not.toBe('run-1');
  },
);
