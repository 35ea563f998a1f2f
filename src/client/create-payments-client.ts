import type { Client } from '@temporalio/client';
import type { z } from 'zod';
import type { ChangesFilter, ChangesPage } from '../contract/http/changes.js';
import type { PaymentFilter, PaymentPage } from '../contract/http/lists.js';
import type { BulkRetryState, bulkRetryInput } from '../contract/bulk-retry.js';
import type { PayoutBatchState } from '../contract/payout-batch.js';
import { workflowIdOf } from '../domain/ids.js';
import type { ReconciliationReport } from '../contract/reconciliation.js';
import type { WebhookPingResult } from '../contract/webhook-ping.js';
import type { WebhookResendInput, WebhookResendState } from '../contract/webhook-resend.js';
import { BulkRetryHandle, startBulkRetry } from './bulk-retry.js';
import { openBulkRetries, type OpenBulkRetry } from './open-bulk-retries.js';
import {
  accountValidationLifecycle,
  cardOrderLifecycle,
  hostedCheckoutLifecycle,
  payoutLifecycle,
  refundLifecycle,
  threeDSecureOrderLifecycle,
} from './lifecycles.js';
import { listChanges } from './list-changes.js';
import { ServerClock } from '../temporal/server-clock.js';
import { listPayments } from './list-payments.js';
import { NotifiedPayment } from './notified-payment.js';
import { paymentStarter } from './payment-starter.js';
import { batchOwner, batchPayouts, checkBatch, readBatch, startBatch } from './payout-batch.js';
import type { StartedBatch } from './payout-batch.js';
import { AccountValidationHandle } from './account-validation-handle.js';
import { OrderHandle } from './order-handle.js';
import { PayoutHandle } from './payout-handle.js';
import { RefundHandle } from './refund-handle.js';
import { reconcile } from './reconcile.js';
import { refundIdOfOrder } from './refund-of-order.js';
import { notifyProblem, type NotifyTargetAddress, type NotifyWorkflows } from '../domain/notify-targets.js';
import type { StartedFor } from '../temporal/start-once.js';
import { pingWebhook } from './webhook-ping.js';
import { startWebhookResend, WebhookResendHandle } from './webhook-resend.js';

export type PaymentsClientOptions = {
  /** A client of the Temporal cluster, with the data converter that the workers use. */
  readonly client: Client;
  /** `PAYMENTS_TASK_QUEUE` of the workers. */
  readonly taskQueue: string;
  /** `POLL_SCALE`: multiplies every waiting time of the payments started. Leave it out in production. */
  readonly pollScale?: number;
  /**
   * Whether the workers' `payoutReconciliation` covers payouts, so that each reads for itself only hourly after
   * its first minute. True unless `pollScale` sets other waiting times than the reconciliation's.
   */
  readonly reconciled?: boolean;
  /** Only when `client` has a NativeConnection that a worker of this process shares. */
  readonly eagerStart?: boolean;
  /**
   * `NOTIFY_WORKFLOWS` of the workers: what the ids of workflows begin with that payments may signal. None when left
   * out.
   */
  readonly notifyWorkflows?: readonly NotifyWorkflows[];
  /** `NOTIFY_TARGETS` of the workers, which alone check the webhooks of payments when it is left out. */
  readonly notifyTargets?: readonly NotifyTargetAddress[];
  /** How long one call of Temporal may take, in milliseconds. Default 15,000. */
  readonly callTimeoutMs?: number;
  /** Of who lists for others, what signs the cursors of lists: the first signs, each verifies. */
  readonly cursorKeys?: readonly Uint8Array[];
};

export type PaymentsClient = ReturnType<typeof createPaymentsClient>;

/**
 * Starts, finds, reads and commands payments on a Temporal cluster. Each start is safe to repeat.
 *
 * What it starts belongs to nobody, so it outlives its starter. A workflow that starts a payment as a child of its own
 * has to set `parentClosePolicy: 'ABANDON'`: a payment must go on following its money when its parent ends.
 */
export function createPaymentsClient({
  client,
  taskQueue,
  pollScale = 1,
  reconciled = pollScale === 1,
  eagerStart = false,
  callTimeoutMs = 15_000,
  notifyWorkflows = [],
  notifyTargets,
  cursorKeys,
}: PaymentsClientOptions) {
  const clock = new ServerClock(client);
  const calls = { client, callTimeoutMs, clock };
  const timing = pollScale === 1 ? {} : { poll_scale: pollScale };
  const payoutTiming = reconciled ? { ...timing, reconciled } : timing;

  const notifiable = { notifyTargets, notifyWorkflows };
  const starter = paymentStarter(calls, { taskQueue, eagerStart, notifiable });
  const payoutById = (workflowId: string) => new PayoutHandle(calls, workflowId);
  const orderById = (workflowId: string) => new OrderHandle(calls, workflowId);
  const refundById = (workflowId: string) => new RefundHandle(calls, workflowId);
  const validationById = (workflowId: string) => new AccountValidationHandle(calls, workflowId);

  return {
    /**
     * `POST /v1/payout/pix` and `POST /v1/payout/transfer`.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    startPayout: starter(payoutLifecycle, payoutById, payoutTiming),

    /**
     * `POST /v1/order`. The card is never part of it, only where it waits: see POST /v1/cards of the gateway.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    startCardOrder: starter(cardOrderLifecycle, orderById, timing),

    /**
     * `POST /v1/checkout`. The customer is sent to `checkout.url` of the state.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    startHostedCheckout: starter(hostedCheckoutLifecycle, orderById, timing),

    /**
     * `POST /v1/3ds/order`. Then `issueThreeDSecureToken` for the browser, and `completeThreeDSecure`.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    startThreeDSecureOrder: starter(threeDSecureOrderLifecycle, orderById, timing),

    /**
     * `PUT /v1/order/{id}/refund`, of an order by its partner_code and its identifier at the service, which the
     * order's state has.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    startRefund: starter(refundLifecycle, refundById, timing),

    /**
     * `POST /v1/account/validate`.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    startAccountValidation: starter(accountValidationLifecycle, validationById, timing),

    /**
     * Up to 10,000 payouts under one batch_id: `{ batch_id, payouts: [{ method, … }] }`. Every row is checked before
     * the first is started; workflows then start them, at most 25 a second or `starts_per_second`.
     *
     * @throws InvalidRequestError by row, BatchConflictError, TooManyRunningError, TemporalUnavailableError
     */
    async startPayoutBatch(request: unknown, startedFor: StartedFor = {}): Promise<StartedBatch> {
      const { owner = null } = startedFor;
      const batch = await checkBatch(request, (row) => notifyProblem(notifiable, owner, row));
      return startBatch(calls, { taskQueue, timing: payoutTiming, ...startedFor }, batch);
    },

    /** How far a batch has come; with `payouts` also how many of them have which status. @throws BatchNotFoundError, InvalidRequestError */
    async payoutBatch(
      batchId: string,
      { payouts = false }: { payouts?: boolean } = {},
    ): Promise<PayoutBatchState> {
      const state = await readBatch(calls, batchId);
      return payouts ? { ...state, payouts: await batchPayouts(calls, taskQueue, state) } : state;
    },

    /**
     * Retries failed payouts by the thousand: `filter` says which; a canary first, then the others at their rate. A workflow
     * does it, so that it goes on without its starter.
     *
     * @throws InvalidRequestError, BulkRetryConflictError, TooManyRunningError, TemporalUnavailableError
     */
    async startBulkRetry(
      input: z.input<typeof bulkRetryInput>,
      startedFor: StartedFor = {},
    ): Promise<{ bulkRetry: BulkRetryHandle; state: BulkRetryState; repeated: boolean }> {
      const options = { taskQueue, ...startedFor };
      const { initial, repeated } = await startBulkRetry(calls, options, { ...timing, ...input });
      const bulkRetry = new BulkRetryHandle(calls, initial.bulk_retry_id);
      return { bulkRetry, repeated, state: repeated ? await bulkRetry.state() : initial };
    },

    /** The bulk retry of an id, whether or not it exists: its methods show. */
    bulkRetry: (bulkRetryId: string) => new BulkRetryHandle(calls, bulkRetryId),

    /** The bulk retries that run or wait, the latest first. @throws TemporalUnavailableError */
    openBulkRetries: (): Promise<OpenBulkRetry[]> => openBulkRetries(calls, taskQueue),

    /**
     * Sends notifications by webhook again: of a payment, or of all that have changed since a moment. A workflow does
     * it. No payment notices anything of it.
     *
     * @throws InvalidRequestError, WebhookResendConflictError, TooManyRunningError, TemporalUnavailableError
     */
    async startWebhookResend(
      input: WebhookResendInput,
      startedFor: StartedFor = {},
    ): Promise<{ resend: WebhookResendHandle; state: WebhookResendState; repeated: boolean }> {
      const { initial, repeated } = await startWebhookResend(calls, { taskQueue, ...startedFor }, input);
      const resend = new WebhookResendHandle(calls, initial.resend_id);
      return { resend, repeated, state: repeated ? await resend.state() : initial };
    },

    /** The resend of an id, whether or not it exists: its methods show. */
    webhookResend: (resendId: string) => new WebhookResendHandle(calls, resendId),

    /** Calls a webhook once, to see whether it is reached. @throws InvalidRequestError, TemporalUnavailableError */
    pingWebhook: (request: { webhook: string }): Promise<WebhookPingResult> =>
      pingWebhook(calls, taskQueue, request),

    /** The payment of a workflow id, as far as its notifications go, whether or not it exists: its methods show. */
    notifiedPayment: (workflowId: string) => new NotifiedPayment(calls, workflowId),

    /**
     * Compares the service's list of payouts with ours now, beside the Schedule; `full` compares all of the last
     * two weeks. Waits for the report.
     */
    reconcile: ({ full = false }: { full?: boolean } = {}): Promise<ReconciliationReport> =>
      reconcile(calls, taskQueue, full),

    /** The payout of a partner_code, whether or not it exists: its methods show. */
    payout: (partnerCode: string) => payoutById(workflowIdOf('payout', partnerCode)),

    /** The order of a partner_code, whether or not it exists: its methods show. */
    order: (partnerCode: string) => orderById(workflowIdOf('card_order', partnerCode)),

    /** The refund of an order by the order's identifier at the service, whether or not it exists: its methods show. */
    refund: (serviceId: string) => refundById(workflowIdOf('refund', serviceId)),

    /**
     * The refund of an order by the order's partner_code: by the order's identifier, or, when its own workflow is
     * gone, by search, which is a moment behind.
     *
     * @throws PaymentNotFoundError when the order has no identifier and no refund is known, StateLostError,
     * TemporalUnavailableError
     */
    async refundOfOrder(partnerCode: string): Promise<RefundHandle> {
      return refundById(await refundIdOfOrder(calls, partnerCode));
    },

    /** Who owns a batch; null when it is nobody's. @throws BatchNotFoundError, InvalidRequestError */
    payoutBatchOwner: (batchId: string) => batchOwner(calls, batchId),

    /** The account validation of a partner_code, whether or not it exists: its methods show. */
    accountValidation: (partnerCode: string) =>
      validationById(workflowIdOf('account_validation', partnerCode)),

    /** Payments by kind, status and attention, the newest first. @throws InvalidRequestError */
    list: (filter: PaymentFilter): Promise<PaymentPage> => listPayments(calls, filter, cursorKeys),

    /** Payments that have changed since a moment, each at least once. @throws InvalidRequestError */
    changes: (filter: ChangesFilter): Promise<ChangesPage> => listChanges(calls, filter, clock),
  };
}
