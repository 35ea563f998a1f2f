import { ApplicationFailure } from '@temporalio/activity';
import { fieldProblems } from '../src/contract/problems.js';
import { webhookResendInput } from '../src/contract/webhook-resend.js';
import type { OwnPaymentsDeps } from './shared/deps.js';

/** `input` is the raw input of the workflow `webhookResend`; `since`: where the part before this one ended. */
export type SelectNotifiedPaymentsInput = { input: unknown; since: string | null };
/** Workflow ids of payments; `next_since` is null when these were the last. */
export type SelectNotifiedPaymentsResult = { payments: string[]; next_since: string | null };

/** A change may be shown by search a moment after the time that its notification names. */
const marginMs = 60_000;

/**
 * Finds a part of the payments that a resend may mean: all that have changed since, for search knows nothing of their
 * notifications.
 *
 * Safe to retry: it only reads.
 *
 * @throws ApplicationFailure `InvalidInput`, not retryable, when the input can't be used
 */
export const selectNotifiedPayments =
  ({ changedPayments }: Pick<OwnPaymentsDeps, 'changedPayments'>) =>
  async ({ input, since }: SelectNotifiedPaymentsInput): Promise<SelectNotifiedPaymentsResult> => {
    const parsed = webhookResendInput.safeParse(input);
    if (!parsed.success) {
      const problems = fieldProblems(parsed.error).map(({ field, message }) => `${field} ${message}`);
      throw ApplicationFailure.nonRetryable(`${problems.join('; ')}. Nothing was resent.`, 'InvalidInput');
    }
    const { owner, seen_after: after = '', workflow_id: id } = parsed.data;
    if (id !== undefined) return { payments: [id], next_since: null };
    const from = since ?? new Date(Date.parse(after) - marginMs).toISOString();
    const { complete, next_since: next, payments } = await changedPayments(from, owner);
    // Search lists a payment twice while it goes on in a new run.
    const ids = new Set(payments.map(({ workflow_id: paymentId }) => paymentId));
    return { payments: [...ids], next_since: complete ? null : next };
  };
