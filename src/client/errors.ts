import type { FieldProblem } from '../contract/problems.js';
import { earlyClosingText, type EarlyClosing } from '../domain/closings.js';
import type { StartDifference } from '../temporal/start-once.js';
import type { CommandName } from '../domain/stage-table.js';
import { idPrefixes } from '../domain/id-prefixes.js';

/** The request can't be used; nothing was started and no money moves. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  constructor(
    readonly problems: readonly FieldProblem[],
    /** How many there are; `problems` may be the first of them only. */
    readonly count = problems.length,
  ) {
    const more = count > problems.length ? `\nand ${String(count - problems.length)} more` : '';
    super(problems.map(inWords).join(problems.some(({ row }) => row !== undefined) ? '\n' : '; ') + more);
  }
}

function inWords({ row, line, field, message }: FieldProblem): string {
  const place =
    line === undefined ? (row === undefined ? '' : `row ${String(row)}, `) : `line ${String(line)}, `;
  return `${place}${field}: ${message}`;
}

/** Another payment already has this partner_code; nothing was started. */
export class PaymentConflictError extends Error {
  override readonly name = 'PaymentConflictError';
  constructor(
    readonly workflowId: string,
    readonly difference: StartDifference,
    /** The fields in which the request differs from the one that started the payment, where they are known. */
    readonly fields: readonly string[] = [],
  ) {
    const refunded = workflowId.startsWith(idPrefixes.refund) && difference === 'request';
    const differing = fields.length === 0 ? '' : ` The requests differ in ${fields.join(', ')}.`;
    super((refunded ? refundConflict : paymentConflicts[difference]) + differing);
  }
}

const refundConflict =
  'A refund of this order was requested before, under another partner_code or with other contents. Nothing was ' +
  'started: an order is refunded once.';

const paymentConflicts: Record<StartDifference, string> = {
  request:
    'A payment with this partner_code exists and was requested with other contents. Nothing was started. ' +
    'Send another payment under a partner_code of its own.',
  workflow_type:
    'A payment of another kind has this partner_code. Nothing was started. ' +
    'Send this one under a partner_code of its own.',
  owner:
    'This is taken by someone else. Nothing was started. Send this payment under a partner_code of its own.',
};

/** Another batch already has this batch_id; nothing was started. */
export class BatchConflictError extends Error {
  override readonly name = 'BatchConflictError';
  constructor(
    readonly workflowId: string,
    readonly difference: StartDifference,
  ) {
    super(
      difference === 'owner'
        ? 'This batch_id is taken by someone else. Nothing was started. Send this batch under a batch_id of its own.'
        : 'Another batch has this batch_id already. Nothing was started. Send this one under a batch_id of its own; ' +
            'payouts that both hold are started once all the same.',
    );
  }
}

/** Another start has taken a reference of its caller; nothing was started. */
export class ReferenceConflictError extends Error {
  constructor(
    what: string,
    reference: string,
    readonly workflowId: string,
    readonly difference: StartDifference,
    /** The fields that differ. */
    readonly fields: readonly string[] = [],
  ) {
    const differing = fields.length === 0 ? '' : `; it differs in: ${fields.join(', ')}`;
    const taken =
      difference === 'owner'
        ? `This ${reference} is taken by someone else.`
        : `Another ${what} has this ${reference} already${differing}.`;
    super(`${taken} Nothing was started. Send this one under a ${reference} of its own.`);
  }
}

/** Another bulk retry already has this bulk_retry_id; nothing was started. */
export class BulkRetryConflictError extends ReferenceConflictError {
  override readonly name = 'BulkRetryConflictError';
  constructor(workflowId: string, difference: StartDifference, fields?: readonly string[]) {
    super('bulk retry', 'bulk_retry_id', workflowId, difference, fields);
  }
}

/** Another resend already has this resend_id; nothing was started. */
export class WebhookResendConflictError extends ReferenceConflictError {
  override readonly name = 'WebhookResendConflictError';
  constructor(workflowId: string, difference: StartDifference, fields?: readonly string[]) {
    super('resend', 'resend_id', workflowId, difference, fields);
  }
}

const running = {
  payoutBatch: 'pages of payout batches',
  bulkRetry: 'bulk retries',
  webhookResend: 'resends of notifications',
} as const;

/** Its owner has as many running as one may; nothing was started. */
export class TooManyRunningError extends Error {
  override readonly name = 'TooManyRunningError';
  constructor(workflowType: keyof typeof running, most: number) {
    super(
      `This key has ${String(most)} ${running[workflowType]} running, which is as many as it may. Nothing was ` +
        'started. Send this again when some of them have ended.',
    );
  }
}

/** Nothing has this reference, or its retention is over. */
class ReferenceNotFoundError extends Error {
  constructor(
    what: string,
    reference: string,
    readonly workflowId: string,
  ) {
    super(`No ${what} is known under this ${reference}, or it ended so long ago that it has been removed.`);
  }
}

/** No batch has this batch_id, or its retention is over. */
export class BatchNotFoundError extends ReferenceNotFoundError {
  override readonly name = 'BatchNotFoundError';
  constructor(workflowId: string) {
    super('batch', 'batch_id', workflowId);
  }
}

/** No bulk retry has this bulk_retry_id, or its retention is over. */
export class BulkRetryNotFoundError extends ReferenceNotFoundError {
  override readonly name = 'BulkRetryNotFoundError';
  constructor(workflowId: string) {
    super('bulk retry', 'bulk_retry_id', workflowId);
  }
}

/** No resend has this resend_id, or its retention is over. */
export class WebhookResendNotFoundError extends ReferenceNotFoundError {
  override readonly name = 'WebhookResendNotFoundError';
  constructor(workflowId: string) {
    super('resend', 'resend_id', workflowId);
  }
}

/** No payment has this partner_code, or its retention is over. */
export class PaymentNotFoundError extends Error {
  override readonly name = 'PaymentNotFoundError';
  constructor(readonly workflowId: string) {
    super(
      'No payment is known under this partner_code, or it was closed so long ago that it has been removed.',
    );
  }
}

const conflicts = [
  PaymentConflictError,
  BatchConflictError,
  BulkRetryConflictError,
  WebhookResendConflictError,
] as const;
const notFound = [
  PaymentNotFoundError,
  BatchNotFoundError,
  BulkRetryNotFoundError,
  WebhookResendNotFoundError,
] as const;

/** Whether another start has taken the id of a payment, batch, bulk retry or resend: nothing was started. */
export function isConflict(error: unknown): error is InstanceType<(typeof conflicts)[number]> {
  return conflicts.some((type) => error instanceof type);
}

/** Whether no payment, batch, bulk retry or resend is known under an id. */
export function isNotFound(error: unknown): error is InstanceType<(typeof notFound)[number]> {
  return notFound.some((type) => error instanceof type);
}

/** The payment has taken the command, and executes or refuses it later: its `pending_commands` have the deadline. */
export class CommandPendingError extends Error {
  override readonly name = 'CommandPendingError';
  constructor(
    readonly workflowId: string,
    readonly command: CommandName,
    /** The id of the Update. */
    readonly commandId: string,
  ) {
    super(
      `The payment has taken ${command} and has not executed it yet: it is still reading at the service. Its state ` +
        'names the command and its deadline, and its timeline the outcome.',
    );
  }
}

/** The workflow was ended from outside before it had handled its last events: no state can be shown for it. */
export class StateLostError extends Error {
  override readonly name = 'StateLostError';
  constructor(
    readonly workflowId: string,
    closedAs: EarlyClosing,
  ) {
    super(
      'Its state can’t be shown: its last events were never handled. Lists show what was known before them, and the ' +
        `Web UI shows the events. ${earlyClosingText(closedAs)}`,
    );
  }
}

/** The payment can't follow the command as it stands now; nothing was changed. */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError';
  constructor(
    /** Such as `NotParked`, `WrongAttempt`, `AlreadyMoving`, `DecisionNeeded`; `Closed` when the payment has ended. */
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Temporal, or every worker, did not answer in time. A start is safe to send again: it happens at most once. After a
 * command, read the state first.
 */
export class TemporalUnavailableError extends Error {
  override readonly name: string = 'TemporalUnavailableError';
  constructor(
    cause: unknown,
    message = 'Temporal did not answer in time, so it is not known whether it took the request.',
  ) {
    super(message, { cause });
  }
}

/** As TemporalUnavailableError, of a command without `take_before`: a worker may take it at any time. */
export class CommandUnboundedError extends TemporalUnavailableError {
  override readonly name = 'CommandUnboundedError';
  constructor(cause: unknown) {
    super(
      cause,
      'Temporal did not answer in time, and its clock could not be read. It is not known whether the command was ' +
        'taken, and it may be taken later. Read the state before it is sent again.',
    );
  }
}

/** Workers fail the workflow tasks of this workflow again and again: it moves nothing and shows no state. */
export class TasksFailingError extends TemporalUnavailableError {
  override readonly name = 'TasksFailingError';
  constructor(
    readonly workflowId: string,
    { attempts, published, since }: { attempts: number; published: string | null; since: string | null },
    cause: unknown,
  ) {
    const last =
      published === null ? 'It has never published a status.' : `Last it has published ${published}.`;
    super(
      cause,
      `${workflowId} is there, but its workflow tasks fail${since === null ? '' : ` since ${since}`}, ` +
        `${String(attempts)} times by now: it stands still, and its state can’t be read. ${last} What workers have ` +
        'taken up already may still be sent for it, nothing new after that; what was sent goes its way at the service. What to do: look at `durable-payments doctor` and the ' +
        'workers’ log. Once workers can handle it, it continues by itself: do not pay it in another way meanwhile, and ' +
        'never reset or terminate it for this.',
    );
  }
}
