import { expect, test } from 'vitest';
import { waitingText } from '../../src/cli/attention.js';
import { orderCommand } from '../../src/cli/order.js';
import { payoutCommand } from '../../src/cli/payout.js';
import { refundCommand } from '../../src/cli/refund.js';
import type { PaymentListing } from '../../src/contract/http/lists.js';
import { attentionCommand } from '../../src/domain/attention-commands.js';
import { attentions, type Attention } from '../../src/domain/attention.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import { commandNames } from '../../src/domain/stage-table.js';

const groups = [orderCommand(), payoutCommand(), refundCommand()];
/** What the Web UI's panel shows of a line in a window of 1280 pixels. */
const panelColumns = 72;
const partnerCode = 'rent-2031-07';

const raisedBy: readonly [PaymentKind, readonly Attention[]][] = [
  [
    'card_order',
    ['chargeback', 'inconsistent_answer', 'submission_unknown', 'overdue', 'unrecognised_status'],
  ],
  ['payout', attentions.filter((name) => !/chargeback|card|refund|bulk/.test(name))],
  ['refund', ['refund_failed', 'refund_unconfirmed', 'chargeback', 'inconsistent_answer']],
];
const shown = raisedBy.flatMap(([kind, names]) =>
  names.flatMap((name) => {
    const offered = [
      attentionCommand(kind, partnerCode, name),
      attentionCommand(kind, partnerCode, name, { commands: commandNames }),
      attentionCommand(kind, partnerCode, name, { commands: ['acknowledgeAttention'] }),
    ];
    return offered.flatMap((lines) => (lines.length === 0 ? [] : [{ kind, lines, name }]));
  }),
);

test.for(shown)(
  '$name of a $kind shows a command that the CLI has, with all that it requires',
  ({ lines }) => {
    const [program, group, verb, code, ...rest] = lines.join(' ').split(' ');
    const command = groups
      .find((each) => each.name() === group)
      ?.commands.find((each) => each.name() === verb);
    expect([program, code]).toEqual(['durable-payments', partnerCode]);
    const given = rest.filter((word) => word.startsWith('--'));
    expect(command?.options.map(({ long }) => long)).toEqual(expect.arrayContaining(given));
    const required = command?.options.filter(({ mandatory }) => mandatory).map(({ long }) => long);
    expect(given).toEqual(expect.arrayContaining(required ?? []));
  },
);

test.for(shown)('$name of a $kind shows a command that fits the panel of the Web UI', ({ lines }) => {
  for (const line of lines) expect(`  ${line} \\`.length).toBeLessThanOrEqual(panelColumns);
});

test.for([
  ['that has failed since', 'returned', 'payout retry rent-2031-07'],
  ['that may move', null, 'payout show rent-2031-07'],
] as const)('in the list a returned payout %s shows a command that it takes', ([, cause, line]) => {
  const listed: PaymentListing = {
    ...{ kind: 'payout', partner_code: partnerCode, workflow_id: `payout-${partnerCode}` },
    ...{ status: 'any', attention: 'payout_returned', cause, value: 1, service_id: null },
    ...{
      started_by: null,
      started_at: '2031-07-01T00:00:00Z',
      updated_at: null,
      closed: false,
      closed_as: null,
    },
  };
  expect(waitingText([listed])).toContain(line);
});
