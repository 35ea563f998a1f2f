import { describe, expect } from 'vitest';
import { commandNames, commandsOf, type CommandName } from '../../src/domain/stage-table.js';
import { everyStage, findingOf } from '../support/lifecycles/stages.js';
import { timelineShows } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';

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
    for (const name of commandNames.filter((each) => !before.commands.includes(each))) {
      expect(await payment.command(name, messages[name]).catch(refusalOf), name).toMatch(
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
