import type { FieldProblem } from '../contract/problems.js';
import type { StartDifference } from '../temporal/start-once.js';

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

function inWords({ row, field, message }: FieldProblem): string {
  return `${row === undefined ? '' : `row ${String(row)}, `}${field}: ${message}`;
}

/** Another payment already has this partner_code; nothing was started. */
export class PaymentConflictError extends Error {
  override readonly name = 'PaymentConflictError';
  constructor(
    readonly workflowId: string,
    readonly difference: StartDifference,
  ) {
    const refunded = workflowId.startsWith('refund-') && difference === 'request';
    super(refunded ? refundConflict : paymentConflicts[difference]);
  }
}

const refundConflict =
  'A refund of this order was asked for before, under another partner_code or with other contents. Nothing was ' +
  'started: an order is refunded once.';

const paymentConflicts: Record<StartDifference, string> = {
  request:
    'A payment with this partner_code exists and was asked for with other contents. Nothing was started. ' +
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

/** No batch has this batch_id, or its retention is over. */
export class BatchNotFoundError extends Error {
  override readonly name = 'BatchNotFoundError';
  constructor(readonly workflowId: string) {
    super('No batch is known under this batch_id, or it ended so long ago that it has been removed.');
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
  override readonly name = 'TemporalUnavailableError';
  constructor(cause: unknown) {
    super('Temporal did not answer in time, so it is not known whether it took the request.', { cause });
  }
}
