import type { Attention } from './attention.js';
import { bulkRetryKind, type PaymentKind } from './kinds.js';
import type { retryRequires } from './payout-command-rules.js';
import type { retryRefundRequires } from './refund-stages.js';
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
    options: ['--reason <when it is still owed>'],
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
  not_sent: acknowledge('not_sent', 'what holds it up'),
  unreadable: acknowledge('unreadable', 'what the service says of it'),
  // Its partner_code may be any text, and nobody should paste that into a shell.
  invalid_input: null,
};

/** What is known of a payment that decides what it takes. */
type Known = {
  readonly commands: readonly CommandName[];
  /** What a retry has to hold, of a payment that takes one; undefined where that is not known. */
  readonly retry_requires?: ReturnType<typeof retryRequires | typeof retryRefundRequires>;
};
type Shown = Known & {
  readonly attention: Attention | null;
  readonly closed: boolean;
  readonly kind: PaymentKind;
  readonly partner_code: string;
};

/** The command that acts on what a payment shows, as {@link attentionCommand}; one that it takes as it stands. */
export function nextCommand(state: Shown): readonly string[] {
  const { attention, closed, kind, partner_code: code } = state;
  return closed || attention === null ? [] : attentionCommand(kind, code, attention, state);
}

/**
 * The command that acts on an attention, as words for a line, or for a line each: the command with its code, then each
 * option. Empty when there is none.
 *
 * @param kind the value of the search attribute PaymentKind
 * @param code a partner_code or bulk_retry_id that was checked: it needs no quotes in a shell
 * @param known what it takes now; undefined where that is not known: then what may be refused is not offered
 */
export function attentionCommand(
  kind: string | null,
  code: string,
  attention: Attention,
  known?: Known,
): readonly string[] {
  const { [attention]: first } = commands;
  if (first === null) return [];
  const { options = [], verb } = offered(first, kind, known?.commands);
  const given = verb === 'retry' ? retryOptions(options, kind, known?.retry_requires) : options;
  return [`durable-payments ${groupOf(kind)} ${verb} ${code}`, ...given];
}

/** The options of a retry that is taken; where it is not known what it has to hold, that is to be looked up. */
function retryOptions(
  options: readonly string[],
  kind: string | null,
  requires: Known['retry_requires'],
): readonly string[] {
  if (requires === null) return options;
  if (requires === undefined) return [kind === 'refund' ? '[--nothing-queued]' : '--attempt <n>', ...options];
  if ('attempt' in requires) return [`--attempt ${String(requires.attempt)}`, ...options];
  return ['--nothing-queued', '--reason <who has confirmed that none is queued>'];
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
