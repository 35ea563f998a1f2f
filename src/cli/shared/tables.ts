import Table from 'cli-table3';
import { printableLine } from '../../domain/plain-text.js';
import type { PaymentListing, PaymentState } from '../../client.js';

/** A table for people, without colours. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const drawn = new Table({ head: [...head], style: { head: [], border: [] } });
  drawn.push(...rows.map((row) => row.map(printableLine)));
  return drawn.toString();
}

/** An amount as the wire's number, for people. */
export function amount(value: number | null): string {
  return value === null ? '' : `R$ ${value.toFixed(2)}`;
}

export function listingTable(payments: readonly PaymentListing[]): string {
  return table(
    ['partner_code', 'status', 'attention', 'value', 'at the service', 'started'],
    payments.map((payment) => [
      payment.partner_code ?? payment.workflow_id,
      payment.status ?? '',
      payment.attention ?? '',
      amount(payment.value),
      payment.service_id ?? '',
      payment.started_at,
    ]),
  );
}

/** All that an operator needs of one payment. */
export function stateText(state: PaymentState): string {
  const rows: [string, string][] = [
    ['partner_code', state.partner_code],
    ['status', state.status],
    ['value', amount(state.value)],
    ['at the service', state.service_id ?? 'no identifier known'],
    ['closed', state.closed ? (state.closed_as ?? 'completed') : ''],
    ['started by', state.started_by ?? ''],
    ['awaiting', state.awaiting],
    ['last read', state.last_read === null ? '' : `${state.last_read.at} (${state.last_read.cause})`],
    ['next read', state.next_read_at ?? ''],
    ['the service said', state.refusal ?? ''],
    ...ofKind(state),
    ['workflow', state.workflow_id],
  ];
  const shown = rows.filter(([, value]) => value !== '');
  const parts = [shown.map(([name, value]) => name.padEnd(18) + printableLine(value)).join('\n')];
  if (state.attention !== null)
    parts.push(`Needs an operator: ${state.attention}\n${printableLine(state.attention_detail ?? '')}`);
  if (state.kind === 'payout') {
    parts.push(
      table(
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
    state.timeline
      .map(({ at, what, by, reason }) => printableLine(`${at}  ${what}${signature(by, reason)}`))
      .join('\n'),
  );
  return parts.filter((part) => part !== '').join('\n\n');
}

function signature(by: string | undefined, reason: string | undefined): string {
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
