import type { Attention } from './attention.js';
import { bulkRetryKind } from './kinds.js';
import type { CommandName } from './stage-table.js';

type Verb = 'acknowledge' | 'retry' | 'resolve' | 'report' | 'show';
type AttentionCommand = {
  readonly verb: Verb;
  readonly options?: readonly string[];
  /** Where it is not taken in every stage in which this attention is raised: what is offered instead. */
  readonly otherwise?: AttentionCommand;
};

const show: AttentionCommand = { verb: 'show' };

function acknowledge(attention: Attention, reason: string): AttentionCommand {
  return { verb: 'acknowledge', options: [`--attention ${attention}`, `--reason <${reason}>`] };
}

/** The command of the CLI that acts on each attention; `<…>` is to be filled in. */
const commands: Record<Attention, AttentionCommand | null> = {
  paid_twice: acknowledge('paid_twice', 'what was recovered'),
  payout_returned: {
    verb: 'retry',
    options: ['--attempt <n>', '--reason <when it is still owed>'],
    otherwise: acknowledge('payout_returned', 'what the statement shows'),
  },
  chargeback: acknowledge('chargeback', 'disputed or accepted'),
  inconsistent_answer: acknowledge('inconsistent_answer', 'what the service answered'),
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
  unrecognised_status: acknowledge('unrecognised_status', 'what the service answered'),
  overdue: acknowledge('overdue', 'what the service answered'),
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
 * @param taken the commands that it takes now; undefined where they are not known: then what may be refused is not offered
 */
export function attentionCommand(
  kind: string | null,
  code: string,
  attention: Attention,
  taken?: readonly CommandName[],
): readonly string[] {
  const { [attention]: first } = commands;
  if (first === null) return [];
  const { options = [], verb } = offered(first, kind, taken);
  return [`durable-payments ${groupOf(kind)} ${verb} ${code}`, ...options];
}

function offered(
  first: AttentionCommand,
  kind: string | null,
  taken: readonly CommandName[] | undefined,
): AttentionCommand {
  if (taken === undefined) return first.otherwise === undefined ? first : show;
  const isTaken = ({ verb }: AttentionCommand) => {
    const name = nameOf(kind, verb);
    return name === undefined || taken.includes(name);
  };
  return [first, first.otherwise ?? show].find(isTaken) ?? show;
}

/** The command that a verb sends; undefined for one that only reads. */
function nameOf(kind: string | null, verb: Verb): CommandName | undefined {
  switch (verb) {
    case 'acknowledge':
      return 'acknowledgeAttention';
    case 'retry':
      return kind === 'refund' ? 'retryRefund' : 'retryPayout';
    case 'resolve':
      return kind === 'refund' ? 'resolveRefund' : 'resolveSubmission';
    case 'report':
    case 'show':
      return undefined;
  }
}

function groupOf(kind: string | null): string {
  if (kind === 'account_validation') return 'account-validation';
  if (kind === bulkRetryKind) return 'bulk-retry';
  return kind === 'payout' || kind === 'refund' ? kind : 'order';
}
