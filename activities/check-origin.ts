import type { NotificationInput } from '../src/contract/notify.js';
import { notOfPayment } from '../src/domain/notifications.js';
import type { OwnPaymentsDeps } from './shared/deps.js';

/** What a workflow `notification` was given to deliver; it may come from anybody and be anything. */
export type CheckOriginInput = { webhook: string; notifications: NotificationInput['notifications'] };
/** `problem`: why none of it may be signed; null when all of it may. */
export type CheckOriginResult = { problem: string | null };

/**
 * Checks that the history of the payment shows each of its notifications, word for word, for this webhook.
 *
 * Safe to retry: it only reads.
 *
 * @throws an error, retryable, when the history could not be read
 */
export const checkOrigin =
  ({ areOfPayment }: Pick<OwnPaymentsDeps, 'areOfPayment'>) =>
  async ({ notifications, webhook }: CheckOriginInput): Promise<CheckOriginResult> => ({
    problem: (await areOfPayment(webhook, notifications)) ? null : notOfPayment,
  });
