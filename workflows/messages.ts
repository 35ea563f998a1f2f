// All messages of all workflows: Signals are hints, Updates are commands that answer, Queries read.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  AbandonPayout,
  AcknowledgeAttention,
  AwaitStatus,
  CompleteThreeDSecure,
  IdentifierShared,
  IssueThreeDSecureToken,
  PostbackReceived,
  ProvideCard,
  RenewToken,
  ResolveRefund,
  ResolveSubmission,
  RetryPayout,
  RetryRefund,
  StatusHint,
  ThreeDSecureToken,
} from '../src/contract/messages.js';
import type {
  AllowRetries,
  BulkRetryCommand,
  BulkRetryLine,
  BulkRetryPageProgress,
  BulkRetryPages,
  BulkRetryState,
} from '../src/contract/bulk-retry.js';
import type { PayoutBatchPageState } from '../src/contract/payout-batch.js';
import type { PaymentState } from '../src/contract/state.js';
import type { SealedToken, TokenHealth } from '../src/contract/token.js';
import type { WebhookResendState } from '../src/contract/webhook-resend.js';

/** A postback came in: the next read is due now. Nothing in it is believed. */
export const postbackReceivedSignal = defineSignal<[PostbackReceived]>('postbackReceived');
/** Somebody saw a status that differs from ours: the next read is due now. */
export const statusHintSignal = defineSignal<[StatusHint]>('statusHint');
/** Another payment of ours has its identifier of the service as well. */
export const identifierSharedSignal = defineSignal<[IdentifierShared]>('identifierShared');
/** The same as the Update, so that Temporal's batch operations retry thousands; has an effect only on a failed payout. */
export const retryPayoutSignal = defineSignal<[RetryPayout]>('retryPayout');

/** In the place of a Signal of that name, which can't be opened (workflows/shared/unopened-messages.ts). Nobody sends it. */
export const messageUnopenedSignal = defineSignal<[string]>('messageUnopened');

/** The commands of payments. Each answers the state once it is executed, or is refused and has no effect. */
export const commandUpdates = {
  /** An operator has dealt with what is shown as PaymentAttention. */
  acknowledgeAttention: defineUpdate<PaymentState, [AcknowledgeAttention]>('acknowledgeAttention'),
  /** Makes a further attempt of a failed payout, after fresh reads of the previous ones. */
  retryPayout: defineUpdate<PaymentState, [RetryPayout]>('retryPayout'),
  /** Gives a failed payout up, or withdraws an attempt that waits to be sent. */
  abandonPayout: defineUpdate<PaymentState, [AbandonPayout]>('abandonPayout'),
  /** What an operator found out about a submission of unknown outcome. */
  resolveSubmission: defineUpdate<PaymentState, [ResolveSubmission]>('resolveSubmission'),
  /** Where a new card waits for an order whose card was lost before anything was sent. */
  provideCard: defineUpdate<PaymentState, [ProvideCard]>('provideCard'),
  /** Completes a 3D Secure order with the result of the browser's authentication and a card from the card store. */
  completeThreeDSecure: defineUpdate<PaymentState, [CompleteThreeDSecure]>('completeThreeDSecure'),
  /** Requests the refund once more, after a fresh read of the order. */
  retryRefund: defineUpdate<PaymentState, [RetryRefund]>('retryRefund'),
  /** What an operator found out about a refund that does not come to its end by itself. */
  resolveRefund: defineUpdate<PaymentState, [ResolveRefund]>('resolveRefund'),
} as const;

/** Answers when the payment has one of the statuses, or when the time is over. At most five may wait at once. */
export const awaitStatusUpdate = defineUpdate<PaymentState, [AwaitStatus]>('awaitStatus');
/** Answers a token for the browser's 3D Secure flow, a new one each time; the state keeps nothing of it. */
export const issueThreeDSecureTokenUpdate = defineUpdate<ThreeDSecureToken, [IssueThreeDSecureToken]>(
  'issueThreeDSecureToken',
);
/** All that is known of the payment. */
export const stateQuery = defineQuery<PaymentState>('state');

/** Answers a token newer than the rejected one: renews once for all callers. */
export const renewTokenUpdate = defineUpdate<SealedToken, [RenewToken]>('renewToken');
/** The clock of the worker that answers, and how old the token is: asked all the time to see whether workers work. */
export const tokenHealthQuery = defineQuery<TokenHealth>('health');

/** The previous page of a batch has started all of its payouts: it is this one's turn. */
export const previousPageFinishedSignal = defineSignal('previousPageFinished');
/** How far this page of a batch has come. */
export const batchPageQuery = defineQuery<PayoutBatchPageState>('state');
/** The partner_codes of this page's payouts, in their order. */
export const batchCodesQuery = defineQuery<string[]>('partnerCodes');

/** The commands of a bulk retry. Each answers its state; what was answered to `pause` and `stop` sends nothing more. */
export const bulkRetryUpdates = {
  /** Retries no more until it is resumed. */
  pause: defineUpdate<BulkRetryState, [BulkRetryCommand]>('pause'),
  /** Goes on after a pause, or after it has stopped by itself. */
  resume: defineUpdate<BulkRetryState, [BulkRetryCommand]>('resume'),
  /** Retries no more, for good. What was retried is followed to its outcome. */
  stop: defineUpdate<BulkRetryState, [BulkRetryCommand]>('stop'),
} as const;
/** All that is known of a bulk retry. */
export const bulkRetryQuery = defineQuery<BulkRetryState>('state');
/** The pages of a bulk retry, which hold its report. */
export const bulkRetryPagesQuery = defineQuery<BulkRetryPages>('pages');
/** A page of a bulk retry has come further. */
export const pageProgressSignal = defineSignal<[BulkRetryPageProgress]>('pageProgress');
/** How many payouts of a page may be retried by now. */
export const allowRetriesSignal = defineSignal<[AllowRetries]>('allowRetries');
/** How far this page of a bulk retry has come. */
export const bulkRetryPageQuery = defineQuery<BulkRetryPageProgress>('state');
/** The outcome of each payout of this page, in the order of their selection. */
export const bulkRetryReportQuery = defineQuery<BulkRetryLine[]>('report');
/** How far a resend of notifications has come. */
export const webhookResendQuery = defineQuery<WebhookResendState>('state');
