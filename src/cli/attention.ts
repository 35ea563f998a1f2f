import { Command } from 'commander';
import type { PaymentListing, PaymentsClient } from '../client.js';
import { paymentKinds } from '../contract/http/lists.js';
import type { Attention } from '../domain/attention.js';
import { attentions } from '../domain/attention.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';
import { amount, table } from './shared/tables.js';

/** The command that acts on each attention; `<…>` is for a person to fill in. */
const commands: Record<Attention, (noun: string, code: string) => string> = {
  paid_twice: (noun, code) => `${noun} acknowledge ${code} --reason <what was recovered>`,
  payout_returned: (noun, code) => `${noun} retry ${code} --attempt <n> --reason <when it is still owed>`,
  chargeback: (noun, code) => `${noun} acknowledge ${code} --reason <disputed or accepted>`,
  inconsistent_answer: (noun, code) => `${noun} acknowledge ${code} --reason <what the service says>`,
  submission_unknown: (noun, code) => `${noun} resolve ${code} --service-id <id> --reason <how it was found>`,
  payout_failed: (noun, code) =>
    `${noun} retry ${code} [--set <field>=<right value>] --reason <why it failed>`,
  refund_failed: (noun, code) => `${noun} retry ${code} --reason <why the cause is gone>`,
  refund_unconfirmed: (noun, code) =>
    `${noun} resolve ${code} --outcome refunded --reason <how it was found>`,
  awaiting_card: (noun, code) => `${noun} show ${code}`,
  unrecognised_status: (noun, code) => `${noun} acknowledge ${code} --reason <what the service says>`,
  overdue: (noun, code) => `${noun} acknowledge ${code} --reason <what the service says>`,
  not_sent: (noun, code) => `${noun} show ${code}`,
  unreadable: (noun, code) => `${noun} show ${code}`,
  invalid_input: (noun, code) => `${noun} show ${code}`,
};

const pageSize = 200;

/** `durable-payments attention` */
export function attentionCommand(): Command {
  return new Command('attention')
    .description('List the open payments that need a person, the oldest first, with the command that acts.')
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      const waiting = await withPayments(openWithAttention);
      print(waiting, options, waitingTable);
    });
}

async function openWithAttention(payments: PaymentsClient): Promise<PaymentListing[]> {
  const found: PaymentListing[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await payments.list({
      kinds: [...paymentKinds],
      attention: 'any',
      limit: pageSize,
      ...(cursor == null ? {} : { cursor }),
    });
    found.push(...page.payments.filter(({ closed }) => !closed));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found.sort((a, b) => a.started_at.localeCompare(b.started_at));
}

function waitingTable(waiting: readonly PaymentListing[]): string {
  if (waiting.length === 0) return 'No payment needs a person.';
  return table(
    ['started', 'partner_code', 'attention', 'status', 'value', 'durable-payments …'],
    waiting.map((payment) => [
      payment.started_at,
      payment.partner_code ?? payment.workflow_id,
      payment.attention ?? '',
      payment.status ?? '',
      amount(payment.value),
      commandFor(payment),
    ]),
  );
}

function commandFor({ attention, kind, partner_code: code, workflow_id: id }: PaymentListing): string {
  const known = attentions.find((name) => name === attention);
  return known === undefined ? '' : commands[known](nounOf(kind), code ?? id);
}

function nounOf(kind: string | null): string {
  if (kind === 'account_validation') return 'account-validation';
  return kind === 'payout' || kind === 'refund' ? kind : 'order';
}
