import { authenticate } from './authenticate.js';
import { checkBulkRetry } from './check-bulk-retry.js';
import { checkIdentifiers } from './check-identifiers.js';
import { checkInput } from './check-input.js';
import { checkNotifyWorkflow } from './check-notify-workflow.js';
import { checkOrigin } from './check-origin.js';
import { checkRun } from './check-run.js';
import { checkPayoutBatch } from './check-payout-batch.js';
import { claimIdentifier } from './claim-identifier.js';
import { completeThreeDSecureOrder } from './complete-three-d-secure-order.js';
import { createCardOrder } from './create-card-order.js';
import { createCheckout } from './create-checkout.js';
import { createPixPayout } from './create-pix-payout.js';
import { createThreeDSecureOrder } from './create-three-d-secure-order.js';
import { createTransferPayout } from './create-transfer-payout.js';
import { findHolders } from './find-holders.js';
import { findOwner } from './find-owner.js';
import { findPayouts } from './find-payouts.js';
import { listPayouts } from './list-payouts.js';
import { notifyOms } from './notify-oms.js';
import { pingWebhook } from './ping-webhook.js';
import { readOutcome } from './read-outcome.js';
import { readRetries } from './read-retries.js';
import { readOrder } from './read-order.js';
import { readPayout } from './read-payout.js';
import { readTimeout } from './read-timeout.js';
import { readThreeDSecureToken } from './read-three-d-secure-token.js';
import { reconcilePayouts } from './reconcile-payouts.js';
import { requestRefund } from './request-refund.js';
import { resendNotifications } from './resend-notifications.js';
import { retryPayouts } from './retry-payouts.js';
import { selectFailedPayouts } from './select-failed-payouts.js';
import { selectNotifiedPayments } from './select-notified-payments.js';
import type {
  CardSendingDeps,
  NotificationDeps,
  OwnPaymentsDeps,
  ReadingDeps,
  SendingDeps,
  TokenDeps,
  TurnDeps,
} from './shared/deps.js';
import { startPayouts } from './start-payouts.js';
import { takeTurn } from './take-turn.js';
import { validateAccount } from './validate-account.js';

/** The activities of the main task queue. */
export function createActivities(deps: SendingDeps) {
  return {
    createCheckout: createCheckout(deps),
    createPixPayout: createPixPayout(deps),
    createThreeDSecureOrder: createThreeDSecureOrder(deps),
    createTransferPayout: createTransferPayout(deps),
    requestRefund: requestRefund(deps),
    validateAccount: validateAccount(deps),
  };
}

/** The activities of the queue of reads: what a payment reads or checks of its own. */
export function createReadingActivities(deps: ReadingDeps) {
  return {
    checkInput,
    checkRun,
    readOrder: readOrder(deps),
    readPayout: readPayout(deps),
    readThreeDSecureToken: readThreeDSecureToken(deps),
  };
}

/** The activities of the queue of scans: they never take the slots of calls that create something. */
export function createScanningActivities(deps: ReadingDeps & Pick<SendingDeps, 'scanBeforeSend'>) {
  return { findPayouts: findPayouts(deps), listPayouts: listPayouts(deps) };
}

/** The activity of the queue of turns: its tasks wait in the order of their scheduling, and have no deadline. */
export function createTurnActivities(deps: TurnDeps) {
  return { takeTurn: takeTurn(deps) };
}

/** The activities of the token queue: apart, so that a renewal never waits behind the calls that need it. */
export function createTokenActivities(deps: TokenDeps) {
  return { authenticate: authenticate(deps) };
}

/** The activities of the queue of notifications: a receiver that hangs holds up nothing but its like. */
export function createNotificationActivities(deps: NotificationDeps) {
  return {
    checkNotifyWorkflow: checkNotifyWorkflow(deps),
    notifyOms: notifyOms(deps),
    pingWebhook: pingWebhook(deps),
  };
}

/** The activities that look for our own payments, on the main task queue as well. */
export function createOwnPaymentsActivities(deps: OwnPaymentsDeps) {
  return {
    checkIdentifiers: checkIdentifiers(deps),
    claimIdentifier: claimIdentifier(deps),
    findOwner: findOwner(deps),
    reconcilePayouts: reconcilePayouts(deps),
  };
}

/** The activities of the queue of batches, bulk retries and resends: they never take the slots of single payments. */
export function createBulkActivities(deps: OwnPaymentsDeps) {
  return {
    checkBulkRetry,
    checkOrigin: checkOrigin(deps),
    checkPayoutBatch,
    findHolders: findHolders(deps),
    readOutcome: readOutcome(deps),
    readRetries: readRetries(deps),
    readTimeout: readTimeout(deps),
    resendNotifications: resendNotifications(deps),
    retryPayouts: retryPayouts(deps),
    selectFailedPayouts: selectFailedPayouts(deps),
    selectNotifiedPayments: selectNotifiedPayments(deps),
    startPayouts: startPayouts(deps),
  };
}

/** The activities of a gateway's own queue: they need the card store in its memory. */
export function createCardStoreActivities(deps: CardSendingDeps) {
  return {
    createCardOrder: createCardOrder(deps),
    completeThreeDSecureOrder: completeThreeDSecureOrder(deps),
  };
}

export type PaymentActivities = ReturnType<typeof createActivities>;
export type ReadingActivities = ReturnType<typeof createReadingActivities>;
export type ScanningActivities = ReturnType<typeof createScanningActivities>;
export type TokenActivities = ReturnType<typeof createTokenActivities>;
export type NotificationActivities = ReturnType<typeof createNotificationActivities>;
export type OwnPaymentsActivities = ReturnType<typeof createOwnPaymentsActivities>;
export type BulkActivities = ReturnType<typeof createBulkActivities>;
export type CardStoreActivities = ReturnType<typeof createCardStoreActivities>;
