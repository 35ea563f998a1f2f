import type { Client } from '@temporalio/client';
import type { z } from 'zod';
import type { PaymentFilter, PaymentPage } from './contract/http/lists.js';
import type { accountValidationInput } from './contract/account-validation.js';
import type { cardOrderInput, hostedCheckoutInput, threeDSecureOrderInput } from './contract/order.js';
import type { PayoutBatchState } from './contract/payout-batch.js';
import type { payoutInput } from './contract/payout.js';
import type { refundInput } from './contract/refund.js';
import { workflowIdOf } from './domain/ids.js';
import type { ReconciliationReport } from './contract/reconciliation.js';
import { PaymentConflictError } from './client/errors.js';
import {
  accountValidationLifecycle,
  cardOrderLifecycle,
  hostedCheckoutLifecycle,
  payoutLifecycle,
  refundLifecycle,
  startOf,
  threeDSecureOrderLifecycle,
} from './client/lifecycles.js';
import type { Lifecycle } from './client/lifecycles.js';
import { listPayments } from './client/list-payments.js';
import { requireNotifiable } from './client/notifiable.js';
import { parseRequest } from './client/parse.js';
import { batchOwner, batchPayouts, checkBatch, readBatch, startBatch } from './client/payout-batch.js';
import type { StartedBatch } from './client/payout-batch.js';
import { AccountValidationHandle, OrderHandle, PayoutHandle, RefundHandle } from './client/payment-handle.js';
import { reconcile } from './client/reconcile.js';
import { refundIdOfOrder } from './client/refund-of-order.js';
import { callTemporal } from './client/temporal-calls.js';
import type { StartedFor } from './temporal/start-once.js';
import { startPayment } from './temporal/start-payment.js';

export {
  BatchConflictError,
  BatchNotFoundError,
  CommandRefusedError,
  InvalidRequestError,
  PaymentConflictError,
  PaymentNotFoundError,
  TemporalUnavailableError,
} from './client/errors.js';
export { paymentsDataConverter } from './client/data-converter.js';
export type {
  AccountValidationHandle,
  OrderHandle,
  PayoutHandle,
  RefundHandle,
} from './client/payment-handle.js';
export type { AccountValidationInput } from './contract/account-validation.js';
export type { PaymentFilter, PaymentListing, PaymentPage } from './contract/http/lists.js';
export type { CardOrderInput, HostedCheckoutInput, ThreeDSecureOrderInput } from './contract/order.js';
export type { PayoutBatchBody, PayoutBatchState } from './contract/payout-batch.js';
export type { PayoutInput } from './contract/payout.js';
export type { RefundInput } from './contract/refund.js';
export type { ReconciliationReport } from './contract/reconciliation.js';
export type {
  AccountValidationState,
  OrderState,
  PaymentState,
  PayoutState,
  RefundState,
} from './contract/state.js';

export type PaymentsClientOptions = {
  /** A client of the Temporal cluster, with the data converter that the workers use. */
  readonly client: Client;
  /** `PAYMENTS_TASK_QUEUE` of the workers. */
  readonly taskQueue: string;
  /** `POLL_SCALE`: multiplies every waiting time of the payments started. Leave it out in production. */
  readonly pollScale?: number;
  /**
   * Whether the workers' `payoutReconciliation` looks after payouts, so that each reads for itself only hourly after
   * its first minute. True unless `pollScale` sets another pace than the reconciliation's.
   */
  readonly reconciled?: boolean;
  /** Only when `client` has a NativeConnection that a worker of this process shares. */
  readonly eagerStart?: boolean;
  /**
   * `NOTIFY_WORKFLOWS` of the workers: what the ids of workflows begin with that payments may signal. None when left
   * out.
   */
  readonly notifyWorkflows?: readonly string[];
  /** How long one call of Temporal may take, in milliseconds. Default 10,000. */
  readonly callTimeoutMs?: number;
};

/** A payment that was started, or found: `repeated` when the same request had started it before. */
export type Started<Handle> = { readonly payment: Handle; readonly repeated: boolean };

export type PaymentsClient = ReturnType<typeof createPaymentsClient>;

/**
 * Starts, finds, reads and commands payments on a Temporal cluster. Each start is safe to repeat.
 *
 * What it starts belongs to nobody, so it outlives its starter. A workflow that starts a payment as a child of its own
 * has to say `parentClosePolicy: 'ABANDON'`: a payment must go on following its money when its parent ends.
 */
export function createPaymentsClient({
  client,
  taskQueue,
  pollScale = 1,
  reconciled = pollScale === 1,
  eagerStart = false,
  callTimeoutMs = 10_000,
  notifyWorkflows = [],
}: PaymentsClientOptions) {
  const calls = { client, callTimeoutMs };
  const pace = pollScale === 1 ? {} : { poll_scale: pollScale };
  const payoutPace = reconciled ? { ...pace, reconciled } : pace;

  async function start<Input extends Record<string, unknown>>(
    lifecycle: Lifecycle<Input>,
    request: unknown,
    startedFor: StartedFor,
  ) {
    const input = parseRequest(lifecycle.inputSchema, request);
    requireNotifiable(notifyWorkflows, [input]);
    const outcome = await callTemporal(calls, () =>
      startPayment(client, startOf(lifecycle, input), { taskQueue, eagerStart, ...startedFor }),
    );
    if (outcome.kind === 'conflict') throw new PaymentConflictError(outcome.workflowId, outcome.difference);
    return { workflowId: outcome.workflowId, repeated: outcome.kind === 'existing' };
  }

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
    async startPayout(
      input: z.input<typeof payoutInput>,
      startedFor: StartedFor = {},
    ): Promise<Started<PayoutHandle>> {
      const { workflowId, repeated } = await start(payoutLifecycle, { ...payoutPace, ...input }, startedFor);
      return { payment: payoutById(workflowId), repeated };
    },

    /**
     * `POST /v1/order`. The card is never part of it, only where it waits: see POST /v1/cards of the gateway.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    async startCardOrder(
      input: z.input<typeof cardOrderInput>,
      startedFor: StartedFor = {},
    ): Promise<Started<OrderHandle>> {
      const { workflowId, repeated } = await start(cardOrderLifecycle, { ...pace, ...input }, startedFor);
      return { payment: orderById(workflowId), repeated };
    },

    /**
     * `POST /v1/checkout`. The state says where the customer is sent: `checkout.url`.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    async startHostedCheckout(
      input: z.input<typeof hostedCheckoutInput>,
      startedFor: StartedFor = {},
    ): Promise<Started<OrderHandle>> {
      const { workflowId, repeated } = await start(
        hostedCheckoutLifecycle,
        { ...pace, ...input },
        startedFor,
      );
      return { payment: orderById(workflowId), repeated };
    },

    /**
     * `POST /v1/3ds/order`. Then `issueThreeDSecureToken` for the browser, and `completeThreeDSecure`.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    async startThreeDSecureOrder(
      input: z.input<typeof threeDSecureOrderInput>,
      startedFor: StartedFor = {},
    ): Promise<Started<OrderHandle>> {
      const { workflowId, repeated } = await start(
        threeDSecureOrderLifecycle,
        { ...pace, ...input },
        startedFor,
      );
      return { payment: orderById(workflowId), repeated };
    },

    /**
     * `PUT /v1/order/{id}/refund`, of an order by its partner_code and its identifier at the service, which the
     * order's state has.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    async startRefund(
      input: z.input<typeof refundInput>,
      startedFor: StartedFor = {},
    ): Promise<Started<RefundHandle>> {
      const { workflowId, repeated } = await start(refundLifecycle, { ...pace, ...input }, startedFor);
      return { payment: refundById(workflowId), repeated };
    },

    /**
     * `POST /v1/account/validate`.
     *
     * @throws InvalidRequestError, PaymentConflictError, TemporalUnavailableError
     */
    async startAccountValidation(
      input: z.input<typeof accountValidationInput>,
      startedFor: StartedFor = {},
    ): Promise<Started<AccountValidationHandle>> {
      const { workflowId, repeated } = await start(
        accountValidationLifecycle,
        { ...pace, ...input },
        startedFor,
      );
      return { payment: validationById(workflowId), repeated };
    },

    /**
     * Up to 10,000 payouts under one batch_id: `{ batch_id, payouts: [{ method, … }] }`. Every row is checked before
     * the first is started; workflows then start them, at most 25 a second or `starts_per_second`.
     *
     * @throws InvalidRequestError by row, BatchConflictError, TemporalUnavailableError
     */
    async startPayoutBatch(request: unknown, startedFor: StartedFor = {}): Promise<StartedBatch> {
      const batch = await checkBatch(request);
      requireNotifiable(notifyWorkflows, batch.payouts, { batch: true });
      return startBatch(calls, { taskQueue, pace: payoutPace, ...startedFor }, batch);
    },

    /** How far a batch has come; with `payouts` also how many of them have which status. @throws BatchNotFoundError */
    async payoutBatch(
      batchId: string,
      { payouts = false }: { payouts?: boolean } = {},
    ): Promise<PayoutBatchState> {
      const state = await readBatch(calls, batchId);
      return payouts ? { ...state, payouts: await batchPayouts(calls, taskQueue, state) } : state;
    },

    /**
     * Compares the service's list of payouts with ours now, beside the Schedule; `full` walks through all of the last
     * two weeks. Waits for the report.
     */
    reconcile: ({ full = false }: { full?: boolean } = {}): Promise<ReconciliationReport> =>
      reconcile(calls, taskQueue, full),

    /** The payout of a partner_code, whether or not it exists: its methods tell. */
    payout: (partnerCode: string) => payoutById(workflowIdOf('payout', partnerCode)),

    /** The order of a partner_code, whether or not it exists: its methods tell. */
    order: (partnerCode: string) => orderById(workflowIdOf('card_order', partnerCode)),

    /** The refund of an order by the order's identifier at the service, whether or not it exists: its methods tell. */
    refund: (serviceId: string) => refundById(workflowIdOf('refund', serviceId)),

    /**
     * The refund of an order by the order's partner_code: by the order's identifier, or, when its own workflow is
     * gone, by search, which is a moment behind.
     *
     * @throws PaymentNotFoundError when the order has no identifier and no refund is known, TemporalUnavailableError
     */
    async refundOfOrder(partnerCode: string): Promise<RefundHandle> {
      return refundById(await refundIdOfOrder(calls, partnerCode));
    },

    /** Who owns a batch; null when it is nobody's. @throws BatchNotFoundError */
    payoutBatchOwner: (batchId: string) => batchOwner(calls, batchId),

    /** The account validation of a partner_code, whether or not it exists: its methods tell. */
    accountValidation: (partnerCode: string) =>
      validationById(workflowIdOf('account_validation', partnerCode)),

    /** Payments by kind, status and attention, the newest first. @throws InvalidRequestError */
    list: (filter: PaymentFilter): Promise<PaymentPage> => listPayments(calls, filter),
  };
}
