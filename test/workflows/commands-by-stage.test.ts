import { describe, expect } from 'vitest';
import type { PaymentKind } from '../../src/domain/kinds.js';
import { commandNames, commandsOf, type CommandName } from '../../src/domain/stage-table.js';
import { everyStage, findingOf } from '../support/lifecycles/stages.js';
import { statusIs, timelineShows } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

const operator = { by: 'ana', reason: 'tried' };
const card = {
  card_ref: '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f',
  task_queue: 'card-store-0b9d3f6a-4a55-4c38-9b43-5f7f5a2d6a10',
};
const messages: Record<CommandName, object> = {
  retryPayout: operator,
  abandonPayout: operator,
  resolveSubmission: operator,
  provideCard: { ...operator, ...card },
  completeThreeDSecure: { ...operator, callback: 'pares=abc', eci: '05', card },
  retryRefund: { ...operator, nothing_queued: true },
  resolveRefund: { ...operator, outcome: 'refunded' },
  acknowledgeAttention: { ...operator, attention: 'overdue' },
};

describe.for(everyStage)('$lifecycle in $stage', ({ bring, takes }) => {
  test('offers the commands that its stage takes, and refuses all others without effect', async ({
    sandbox,
    stack,
  }) => {
    const payment = await bring(stack);
    const before = await payment.state();
    // Postbacks of what was done before are sent meanwhile.
    const made = { ...sandbox.ledger(), postbacks: {} };
    expect(before.commands.filter((name) => name !== 'acknowledgeAttention')).toEqual(commandsOf(takes));
    const { attention } = before;
    for (const name of commandNames.filter((each) => !before.commands.includes(each))) {
      const seen = name === 'acknowledgeAttention' && attention !== null ? { attention } : {};
      expect(await payment.refusal(name, { ...messages[name], ...seen }), name).toMatch(
        /^(NotParked|NotUnknown|NotAwaiting|InvalidMessage|NoAttention|OtherAttention|DecisionNeeded|Closed)/,
      );
      expect(await payment.state(), name).toEqual(before);
    }
    expect({ ...sandbox.ledger(), postbacks: {} }).toEqual(made);
  });

  test.for(commandsOf(takes))('executes %s, and names who has sent it', async (name, { service, stack }) => {
    const payment = await bring(stack);
    service.recovers();
    const finding = name === 'resolveSubmission' ? findingOf(await payment.state()) : {};
    const { timeline } = await payment.command(name, { ...messages[name], ...finding });
    expect(timeline).toContainEqual(expect.objectContaining(operator));
  });
});

/** What was answered 429 may have been taken: an operator decides, of an order too where a postback comes. */
const awaitsDecision = (kind: PaymentKind, stage: string) =>
  (kind === 'payout' && stage === 'submit') || kind === 'refund';

test.for(everyStage.filter(({ takes }) => takes.includes('cancel')))(
  '$lifecycle in $stage ends by a cancel request, and nothing more is sent',
  async ({ bring, kind, stage }, { sandbox, stack }) => {
    const payment = await bring(stack);
    const { partner_code: code } = await payment.state();
    const made = () => {
      const { orders, payouts, validations } = sandbox.ledger(code);
      const refunds = orders.map((order) => order.refunds_requested);
      return { orders: orders.length, payouts: payouts.length, refunds, validations: validations.length };
    };
    const before = made();
    await payment.cancel();
    const status = awaitsDecision(kind, stage) ? 'rejected' : 'cancelled';
    await payment.until(statusIs(status), '1 second', 5);
    sandbox.clearFaults();
    const wasSent = status === 'rejected' || (stage === 'submit' && kind !== 'payout');
    expect(await payment.after('3 days')).toMatchObject({ status, closed: !wasSent });
    expect(made()).toEqual(before);
  },
);

test.for(everyStage.filter(({ stage, takes }) => stage !== 'closed' && !takes.includes('cancel')))(
  '$lifecycle in $stage notes a cancel request, which changes nothing',
  async ({ bring }, { stack }) => {
    const payment = await bring(stack);
    const { commands, status } = await payment.state();
    await payment.cancel();
    const after = await payment.until(
      timelineShows('A cancel request came and changes nothing'),
      '1 second',
      1,
    );
    expect(after).toMatchObject({ commands, status, closed: false });
  },
);
