import { describe, expect, test } from 'vitest';
import { attentionCommand } from '../../src/domain/attention-commands.js';
import { attentions, needsDecision, type Attention } from '../../src/domain/attention.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import { payoutStages } from '../../src/domain/payout-stages.js';
import { commandsOf, type CommandName, type Stage, type StageTable } from '../../src/domain/stage-table.js';
import { stagesOfKind } from '../../src/domain/stages.js';

const tables = Object.entries(stagesOfKind) as [PaymentKind, StageTable][];

/** The commands of a payment that shows this attention. */
function takenIn(stage: Stage, attention: Attention): CommandName[] {
  return [...commandsOf(stage), ...(needsDecision(attention) ? [] : (['acknowledgeAttention'] as const))];
}

describe('what needs an operator', () => {
  test('is money that may have left twice or come back, before whatever can wait', () => {
    expect(attentions.slice(0, 3)).toEqual(['paid_twice', 'payout_returned', 'chargeback']);
    expect(attentions.indexOf('submission_unknown')).toBeLessThan(attentions.indexOf('payout_failed'));
    expect(attentions.at(-1)).toBe('invalid_input');
  });

  test('is ended by an acknowledgement, but for what takes a decision', () => {
    expect(attentions.filter(needsDecision)).toEqual([
      ...['submission_unknown', 'payout_failed', 'bulk_retry_stopped', 'refund_failed'],
      ...['refund_unconfirmed', 'awaiting_card'],
    ]);
  });

  test.for([
    ['card_order', 'order'],
    ['hosted_checkout', 'order'],
    ['three_d_secure_order', 'order'],
    ['refund', 'refund'],
    ['payout', 'payout'],
    ['account_validation', 'account-validation'],
  ] as const)('of a %s is ended by a line of the group %s, with a reason', ([kind, group]) => {
    expect(attentionCommand(kind, 'a-1', 'overdue')).toEqual([
      `durable-payments ${group} acknowledge a-1`,
      ...['--attention overdue', '--reason <what the service answered>'],
    ]);
  });

  test.for([
    ['payout_failed', 'retry', '--reason'],
    ['submission_unknown', 'resolve', '--service-id <id>'],
    ['refund_failed', 'retry', '--reason'],
    ['refund_unconfirmed', 'resolve', '--outcome refunded'],
  ] as const)('as %s is ended by %s, with %s to start from', ([attention, verb, option]) => {
    const [command, ...options] = attentionCommand('payout', 'a-1', attention);
    expect(command).toBe(`durable-payments payout ${verb} a-1`);
    expect(options.join(' ')).toContain(option);
  });

  test('as payout_returned is ended by a retry of the attempt while that is taken, else by an acknowledgement', () => {
    const offered = (stage: Stage) =>
      attentionCommand('payout', 'a-1', 'payout_returned', { commands: takenIn(stage, 'payout_returned') });
    expect(offered(payoutStages.decide)).toEqual([
      'durable-payments payout retry a-1',
      ...['--attempt <n>', '--reason <when it is still owed>'],
    ]);
    expect(offered(payoutStages.follow)).toEqual([
      'durable-payments payout acknowledge a-1',
      ...['--attention payout_returned', '--reason <what the statement shows>'],
    ]);
    // Where nobody knows its stage.
    expect(attentionCommand('payout', 'a-1', 'payout_returned')).toEqual([
      'durable-payments payout show a-1',
    ]);
  });

  test.for(
    tables.flatMap(([kind, table]) =>
      Object.entries<Stage>(table).flatMap(([name, stage]) =>
        attentions.map((attention) => ({ attention, kind, name, taken: takenIn(stage, attention) })),
      ),
    ),
  )('$attention of a $kind in the stage $name offers what is taken there', ({ attention, kind, taken }) => {
    const [line = ''] = attentionCommand(kind, 'a-1', attention, { commands: taken });
    const verb = line.split(' ').at(-2) ?? 'none';
    const names = { acknowledge: /^acknowledge/, retry: /^retry/, resolve: /^resolve/ }[verb];
    if (names === undefined) expect(['show', 'report', 'none']).toContain(verb);
    else expect(taken.some((name) => names.test(name))).toBe(true);
  });

  test.for([
    ['bulk_retry', 'bulk_retry_stopped', 'durable-payments bulk-retry report a-1'],
    ['card_order', 'awaiting_card', 'durable-payments order show a-1'],
  ] as const)('of a %s as %s is acted upon with: %s', ([kind, attention, line]) => {
    expect(attentionCommand(kind, 'a-1', attention)).toEqual([line]);
  });

  test('that a decision must end is never offered an acknowledgement, and nothing else lacks one', () => {
    const lineOf = (attention: Attention) => attentionCommand('payout', 'a-1', attention).join(' ');
    const offered = attentions.filter((it) => lineOf(it).includes(' acknowledge '));
    expect(offered.filter(needsDecision)).toEqual([]);
    const left = attentions.filter((it) => !needsDecision(it) && !offered.includes(it));
    // Of a returned payout that depends on its stage; of an input that is not usable nothing goes on.
    expect(left).toEqual(['payout_returned', 'invalid_input']);
    const without = attentions.filter((it) => lineOf(it) === '');
    expect(without).toEqual(['invalid_input']);
  });
});
