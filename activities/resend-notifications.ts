import { z } from 'zod';
import { ApplicationFailure } from '@temporalio/activity';
import { webhookResendInput, type WebhookResendInput } from '../src/contract/webhook-resend.js';
import { atRate, firstOf } from './shared/at-rate.js';
import type { OwnPaymentsDeps } from './shared/deps.js';

/** `payments`: workflow ids of those whose notifications are sent again, as far as the input of the resend means them. */
export type ResendNotificationsInput = {
  input: WebhookResendInput;
  payments: readonly string[];
  per_second: number;
};

const outcome = z.object({ resent: z.int(), waiting: z.int(), unreadable: z.boolean() });
/** What became of one payment's notifications. */
export type ResendOutcome = z.infer<typeof outcome>;

/**
 * Sends notifications of payments again, at most of so many payments a second. Returns the outcome of each payment, or
 * of the first ones when its worker is stopped.
 *
 * Safe to retry: of a payment each resend starts one workflow at most.
 *
 * @throws ApplicationFailure when Temporal does not answer
 */
export const resendNotifications =
  ({ resendNotifications: resend }: Pick<OwnPaymentsDeps, 'resendNotifications'>) =>
  async ({ input, payments, per_second }: ResendNotificationsInput): Promise<ResendOutcome[]> => {
    const request = webhookResendInput.parse(input);
    const outcomes = await atRate(payments, per_second, outcome, async (workflowId) => {
      const resent = await resend(request, workflowId);
      if (resent === 'unavailable') {
        throw ApplicationFailure.retryable('Temporal did not answer in time.', 'Unavailable');
      }
      return resent === 'unreadable'
        ? { resent: 0, waiting: 0, unreadable: true }
        : { ...resent, unreadable: false };
    });
    return firstOf(outcomes);
  };
