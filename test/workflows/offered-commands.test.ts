import { describe, expect, test } from 'vitest';
import { payoutInput } from '../../src/contract/payout.js';
import { refundInput } from '../../src/contract/refund.js';
import type { PaymentState } from '../../src/contract/state.js';
import { attentionCommand, nextCommand } from '../../src/domain/attention-commands.js';
import { isVoid, newAttempt, type Attempt } from '../../src/domain/payout-attempts.js';
import { newPayout } from '../../src/domain/payout.js';
import type { RefundPhase } from '../../src/domain/refund-stages.js';
import { newRefund } from '../../src/domain/refund.js';
import type { CommandName } from '../../src/domain/stage-table.js';
import { stateText } from '../../src/cli/shared/tables.js';
import { PayoutPayment } from '../../workflows/payout/payment.js';
import { RefundPayment } from '../../workflows/refund/payment.js';
import { currentDetails } from '../../workflows/shared/details.js';
import { refusalOf } from '../../workflows/shared/incoming.js';
import { runOf } from '../support/run-of.js';

const names: Record<string, CommandName> = {
  'payout retry': 'retryPayout',
  'payout resolve': 'resolveSubmission',
  'payout acknowledge': 'acknowledgeAttention',
  'refund retry': 'retryRefund',
  'refund resolve': 'resolveRefund',
  'refund acknowledge': 'acknowledgeAttention',
};

/** What the CLI sends for the words of a command that is offered, by somebody who looks up the attempt where it says so. */
function messageOf(words: readonly string[], latest: number): [CommandName | undefined, object] {
  const [, group, verb] = words[0]?.split(' ') ?? [];
  const given = words.slice(1).map((option) => option.split(' '));
  const of = (name: string) => given.find(([option]) => option === `--${name}`)?.[1];
  const attempt = of('attempt');
  const message = {
    ...{ by: 'ana', reason: 'looked at' },
    ...(attempt !== undefined && { attempt: attempt === '<n>' ? latest : Number(attempt) }),
    ...(given.some(([option]) => option === '--nothing-queued') && { nothing_queued: true }),
    ...(of('attention') !== undefined && { attention: of('attention') }),
    ...(of('outcome') !== undefined && { outcome: of('outcome') }),
    ...(of('service-id') !== undefined && { service_id: 'po-9' }),
  };
  return [names[`${String(group)} ${String(verb)}`], message];
}

function refusalOfOffered(payment: PayoutPayment | RefundPayment, words: readonly string[]) {
  const [name, message] = messageOf(words, payment.attemptNumber() ?? 1);
  return name === undefined ? undefined : refusalOf(payment, name, message)?.message;
}

const payoutOf = payoutInput.parse({
  ...{ partner_code: 'rent-1', value: 150.5, method: 'pix', pix: 'ana@example.com' },
  ...{ first_name: 'Ana', last_name: 'Souza', document: '52998224725' },
});

function aPayout(...changes: readonly Partial<Attempt>[]): PayoutPayment {
  const run = runOf('payout-rent-1');
  const attempts = changes.map((change, index) => {
    const number = index + 1;
    const code = number === 1 ? 'rent-1' : `rent-1-r${String(number)}`;
    const { phase = 'known' } = change;
    const known = phase === 'known' ? { serviceId: `po-${String(number)}`, wasRead: true } : {};
    return { ...newAttempt(number, code, 0), ...known, phase, ...change };
  });
  const payment = new PayoutPayment(payoutOf, run, {
    ...new PayoutPayment(payoutOf, run).snapshot(),
    data: { ...newPayout('rent-1', 0), attempts },
  });
  payment.conclude();
  return payment;
}

const failed: Partial<Attempt> = { status: 'error' };
const returned: Partial<Attempt> = { status: 'error', wasDone: true };
const moving: Partial<Attempt> = { status: 'processing' };
const attempts: readonly Partial<Attempt>[] = [
  failed,
  returned,
  { ...returned, replaced: true },
  { ...failed, misfit: 'Another value.' },
  { phase: 'refused' },
  { phase: 'not_paid' },
  { phase: 'never_sent' },
  { phase: 'never_sent', stopped: 'account_invalid' },
  { phase: 'never_sent', stopped: 'corrections' },
];
const latest: readonly Partial<Attempt>[] = [
  ...attempts,
  { status: 'done', wasDone: true },
  moving,
  { ...moving, wasDone: true },
  { status: 'held' },
  { ...moving, wasRead: false },
  { phase: 'to_send' },
  { phase: 'verifying' },
  { phase: 'unknown', error: 'Not found.' },
];
const payouts = [
  ...latest.map((each) => [each]),
  ...attempts.flatMap((first) => latest.map((second) => [first, second])),
  [returned, failed, { phase: 'never_sent' as const }],
  [{ status: 'done', wasDone: true }, failed],
].map((changes) => ({ changes, name: changes.map((each) => JSON.stringify(each)).join(' then ') }));

/** A payment as each attention that it has is acknowledged, one after the other, where it can be. */
function* asAcknowledged(payment: PayoutPayment | RefundPayment) {
  for (let attention = payment.record.attention; ;) {
    yield payment.view();
    if (attention === null || !payment.commands.includes('acknowledgeAttention')) return;
    payment.record.acknowledge(attention);
    payment.conclude();
    ({ attention } = payment.record);
  }
}

function expectOffersTaken(payment: PayoutPayment | RefundPayment): PaymentState[] {
  const states: PaymentState[] = [];
  for (const state of asAcknowledged(payment)) {
    states.push(state);
    const words = nextCommand(state);
    expect(refusalOfOffered(payment, words), words.join(' ')).toBeUndefined();
    for (const word of words) {
      expect(stateText(state)).toContain(word);
      expect(currentDetails(state)).toContain(word);
    }
  }
  return states;
}

describe('the command that a payment offers is one that it takes as it stands', () => {
  test.for(payouts)('a payout whose attempts are $name', ({ changes }) => {
    expectOffersTaken(aPayout(...changes));
  });

  const phases: readonly RefundPhase[] = [
    ...(['to_send', 'asked', 'unknown'] as const),
    ...(['refused', 'failed', 'decided', 'over'] as const),
  ];
  test.for(
    phases.flatMap((phase) =>
      [false, true].flatMap((mayShowEarlier) =>
        [null, 1].map((askedAt) => ({ phase, mayShowEarlier, askedAt })),
      ),
    ),
  )(
    'a refund that is $phase, with an earlier request that may be queued: $mayShowEarlier',
    ({ askedAt, mayShowEarlier, phase }) => {
      const input = refundInput.parse({ partner_code: 'shoes-1', service_id: 'ord-7', value: 10 });
      const run = runOf('refund-ord-7');
      const payment = new RefundPayment(input, run, {
        ...new RefundPayment(input, run).snapshot(),
        data: { ...newRefund(0), phase, mayShowEarlier, askedAt, reason: 'It failed.', requests: 1 },
      });
      payment.conclude();
      expectOffersTaken(payment);
    },
  );
});

test('a payout that was returned offers, once that was acknowledged, a retry that names its attempt, and says why', () => {
  const [, last] = expectOffersTaken(aPayout(failed, returned));
  expect(last).toMatchObject({ attention: 'payout_failed', retry_requires: { attempt: 2 } });
  expect(nextCommand(last ?? aPayout(failed).view()).join(' ')).toContain('retry rent-1 --attempt 2');
  expect(last?.attention_detail).toContain('Attempt 2 was done before it failed.');
});

test('a payout that has simply failed offers a retry that need not name its attempt', () => {
  const state = aPayout(failed).view();
  expect(state.retry_requires).toBeNull();
  expect(nextCommand(state).join(' ')).not.toContain('--attempt');
});

test('where nobody knows what a retry has to hold, one is offered that has to be filled in, and is taken', () => {
  const decided = { commands: ['retryPayout'] as const };
  for (const { changes } of payouts.filter(({ changes: each }) => each.every(isFailed))) {
    const payment = aPayout(...changes);
    for (const known of [undefined, decided]) {
      const words = attentionCommand('payout', 'rent-1', 'payout_failed', known);
      expect(refusalOfOffered(payment, words)).toBeUndefined();
      expect(words).toContain('--attempt <n>');
    }
  }
  expect(attentionCommand('refund', 'shoes-1', 'refund_failed')).toContain('[--nothing-queued]');
});

function isFailed({ phase = 'known', status }: Partial<Attempt>): boolean {
  return status === 'error' || isVoid(phase);
}
