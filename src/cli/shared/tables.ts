import Table from 'cli-table3';
import { nextCommand } from '../../domain/attention-commands.js';
import type { CommandName } from '../../domain/stage-table.js';
import { printableLine } from '../../domain/plain-text.js';
import { beside, columns, commandLines, paragraph } from './columns.js';
import type { PaymentListing, PaymentState } from '../../client.js';
import type { TimelineEntry } from '../../contract/state.js';

/**
 * A table for people, without colours.
 *
 * @param widths of the columns, in which longer texts are wrapped; as wide as their texts when left out
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  widths?: readonly number[],
): string {
  const wrapped =
    widths === undefined ? {} : { colWidths: [...widths], wordWrap: true, wrapOnWordBoundary: false };
  const drawn = new Table({ head: [...head], style: { head: [], border: [] }, ...wrapped });
  drawn.push(...rows.map((row) => row.map(printableLine)));
  return drawn.toString();
}

/** An amount as the wire's number, for people. */
export function amount(value: number | null): string {
  return value === null ? '' : `R$ ${value.toFixed(2)}`;
}

/** A line a payment, for people; times are UTC, to the minute. */
export function listingTable(payments: readonly PaymentListing[]): string {
  return columns(
    ['partner_code', 'status', 'attention', 'value', 'at the service', 'started'],
    payments.map((payment) => [
      payment.partner_code ?? payment.workflow_id,
      payment.status ?? '',
      payment.attention ?? '',
      amount(payment.value),
      payment.service_id ?? '',
      payment.started_at.slice(0, 16).replace('T', ' '),
    ]),
  );
}

/** The command of the CLI for each command of payments; a card comes over HTTP alone. */
const verbs: Partial<Record<CommandName, string>> = {
  retryPayout: 'retry',
  abandonPayout: 'abandon',
  resolveSubmission: 'resolve',
  retryRefund: 'retry',
  resolveRefund: 'resolve',
  acknowledgeAttention: 'acknowledge',
};

/** All that an operator needs of one payment. */
export function stateText(state: PaymentState): string {
  const rows: [string, string][] = [
    ['partner_code', state.partner_code],
    ['status', state.status],
    ['value', amount(state.value)],
    ['pays', state.kind === 'payout' ? (state.payee ?? '') : ''],
    ['at the service', state.service_id ?? 'no identifier known'],
    ['closed', state.closed ? (state.closed_as ?? 'completed') : ''],
    ['started by', state.started_by ?? ''],
    ['awaiting', state.awaiting],
    ...state.pending_commands.map((each): [string, string] => ['executes', pendingText(each)]),
    ['takes', state.commands.flatMap((name) => verbs[name] ?? []).join(', ')],
    ['last read', state.last_read === null ? '' : `${state.last_read.at} (${state.last_read.cause})`],
    ['next read', state.next_read_at ?? ''],
    ['refused because', state.refusal ?? ''],
    ...ofKind(state),
    ['workflow', state.workflow_id],
  ];
  const shown = rows.filter(([, value]) => value !== '');
  const parts = [beside(shown, 18)];
  if (state.attention !== null) {
    const command = nextCommand(state);
    parts.push(
      [
        `Needs an operator: ${state.attention}`,
        paragraph(state.attention_detail ?? ''),
        ...(command.length === 0 ? [] : [commandLines(command)]),
      ].join('\n'),
    );
  }
  if (state.kind === 'payout') {
    parts.push(
      columns(
        ['attempt', 'partner_code', 'status', 'at the service', 'error'],
        state.attempts.map((attempt) => [
          String(attempt.number),
          attempt.partner_code,
          attempt.status,
          attempt.service_id ?? '',
          attempt.error ?? '',
        ]),
      ),
    );
  }
  parts.push(
    beside(state.timeline.map((entry) => [entry.at, `${entry.what}${repeated(entry)}${signature(entry)}`])),
  );
  return parts.filter((part) => part !== '').join('\n\n');
}

function pendingText({ by, command, until }: PaymentState['pending_commands'][number]): string {
  return `${command}${by === null ? '' : ` by ${by}`}, until ${until} at the latest`;
}

function repeated({ times, last_at: lastAt, at }: TimelineEntry): string {
  return times === undefined ? '' : ` (${String(times)} times, last at ${lastAt ?? at})`;
}

function signature({ by, reason }: TimelineEntry): string {
  return by === undefined ? '' : ` (${[by, reason].filter(Boolean).join(': ')})`;
}

/** What only some kinds of payment have. */
function ofKind(state: PaymentState): [string, string][] {
  switch (state.kind) {
    case 'payout':
      return [];
    case 'refund':
      return [
        ['requests', String(state.requests)],
        ['outcome', state.outcome ?? ''],
      ];
    case 'account_validation':
      return [['answer', state.answer === null ? '' : `${JSON.stringify(state.answer.body)} (not verified)`]];
    default:
      return [
        ['customer pays at', state.checkout?.url ?? ''],
        ['to complete by', state.authentication?.until ?? ''],
        ['candidates', state.candidates.join(', ')],
      ];
  }
}
