import type { Attention } from './attention.js';
import { bulkRetryKind } from './kinds.js';

type AttentionCommand = { verb: string; options?: readonly string[] };

const show: AttentionCommand = { verb: 'show' };

/** The command of the CLI that acts on each attention; `<…>` is to be filled in. */
const commands: Record<Attention, AttentionCommand | null> = {
  paid_twice: { verb: 'acknowledge', options: ['--attention paid_twice', '--reason <what was recovered>'] },
  payout_returned: { verb: 'retry', options: ['--attempt <n>', '--reason <when it is still owed>'] },
  chargeback: { verb: 'acknowledge', options: ['--attention chargeback', '--reason <disputed or accepted>'] },
  inconsistent_answer: {
    verb: 'acknowledge',
    options: ['--attention inconsistent_answer', '--reason <what the service answered>'],
  },
  submission_unknown: { verb: 'resolve', options: ['--service-id <id>', '--reason <how it was found>'] },
  payout_failed: {
    verb: 'retry',
    options: ['[--set <field>=<right value>]', '--reason <why it failed>'],
  },
  bulk_retry_stopped: { verb: 'report' },
  refund_failed: { verb: 'retry', options: ['--reason <why the cause is gone>'] },
  refund_unconfirmed: {
    verb: 'resolve',
    options: ['--outcome refunded', '--reason <how it was found>'],
  },
  awaiting_card: show,
  unrecognised_status: {
    verb: 'acknowledge',
    options: ['--attention unrecognised_status', '--reason <what the service answered>'],
  },
  overdue: { verb: 'acknowledge', options: ['--attention overdue', '--reason <what the service answered>'] },
  not_sent: show,
  unreadable: show,
  // Its partner_code may be any text, and nobody should paste that into a shell.
  invalid_input: null,
};

/**
 * The command that acts on an attention, as words for a line, or for a line each: the command with its code, then each
 * option. Empty when there is none.
 *
 * @param kind the value of the search attribute PaymentKind
 * @param code a partner_code or bulk_retry_id that was checked: it needs no quotes in a shell
 */
export function attentionCommand(kind: string | null, code: string, attention: Attention): readonly string[] {
  const command = commands[attention];
  if (command === null) return [];
  return [`durable-payments ${groupOf(kind)} ${command.verb} ${code}`, ...(command.options ?? [])];
}

function groupOf(kind: string | null): string {
  if (kind === 'account_validation') return 'account-validation';
  if (kind === bulkRetryKind) return 'bulk-retry';
  return kind === 'payout' || kind === 'refund' ? kind : 'order';
}
