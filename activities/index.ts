import { authenticate } from './authenticate.js';
import { checkInput } from './check-input.js';
import { checkNotifyWorkflow } from './check-notify-workflow.js';
import { checkRun } from './check-run.js';
import { checkPayoutBatch } from './check-payout-batch.js';
import { completeThreeDSecureOrder } from './complete-three-d-secure-order.js';
import { createCardOrder } from './create-card-order.js';
import { createCheckout } from './create-checkout.js';
import { createPixPayout } from './create-pix-payout.js';
import { createThreeDSecureOrder } from './create-three-d-secure-order.js';
import { createTransferPayout } from './create-transfer-payout.js';
import { findOwner } from './find-owner.js';
import { findPayouts } from './find-payouts.js';
import { notifyOms } from './notify-oms.js';
import { readOrder } from './read-order.js';
import { readPayout } from './read-payout.js';
import { readThreeDSecureToken } from './read-three-d-secure-token.js';
import { reconcilePayouts } from './reconcile-payouts.js';
import { requestRefund } from './request-refund.js';
import type {
  CardSendingDeps,
  NotificationDeps,
  OwnPaymentsDeps,
  SendingDeps,
  TokenDeps,
} from './shared/deps.js';
import { startPayouts } from './start-payouts.js';
import { validateAccount } from './validate-account.js';

/** The activities of the main task queue. */
export function createActivities(deps: SendingDeps) {
  return {
    checkInput,
    checkRun,
    createCheckout: createCheckout(deps),
    createPixPayout: createPixPayout(deps),
    createThreeDSecureOrder: createThreeDSecureOrder(deps),
    createTransferPayout: createTransferPayout(deps),
    findPayouts: findPayouts(deps),
    readOrder: readOrder(deps),
    readPayout: readPayout(deps),
    readThreeDSecureToken: readThreeDSecureToken(deps),
    requestRefund: requestRefund(deps),
    validateAccount: validateAccount(deps),
  };
}

/** The activities of the token queue: a lane of its own, so that renewal never waits behind those who need it. */
export function createTokenActivities(deps: TokenDeps) {
  return { authenticate: authenticate(deps) };
}

/** The activities of the queue of notifications: a receiver that hangs holds up nothing but its like. */
export function createNotificationActivities(deps: NotificationDeps) {
  return { checkNotifyWorkflow: checkNotifyWorkflow(deps), notifyOms: notifyOms(deps) };
}

/** The activities that act on our own payments, on the main task queue as well. */
export function createOwnPaymentsActivities(deps: OwnPaymentsDeps) {
  return {
    checkPayoutBatch,
    findOwner: findOwner(deps),
    reconcilePayouts: reconcilePayouts(deps),
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
export type TokenActivities = ReturnType<typeof createTokenActivities>;
export type NotificationActivities = ReturnType<typeof createNotificationActivities>;
export type OwnPaymentsActivities = ReturnType<typeof createOwnPaymentsActivities>;
export type CardStoreActivities = ReturnType<typeof createCardStoreActivities>;
