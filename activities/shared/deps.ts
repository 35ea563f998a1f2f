import type { CardStore } from '../../src/card-store/card-store.js';
import type { BulkRetryFilter, BulkRetryState } from '../../src/contract/bulk-retry.js';
import type { ChangesPage } from '../../src/contract/http/changes.js';
import type { PaymentListing } from '../../src/contract/http/lists.js';
import type { IdentifierShared, RetryPayout } from '../../src/contract/messages.js';
import type { RowOutcome } from '../../src/contract/payout-batch.js';
import type { NexusReadPayment, PaymentAnswer } from '../../src/contract/nexus.js';
import type { PayoutInput } from '../../src/contract/payout.js';
import type { PayoutState } from '../../src/contract/state.js';
import type { WebhookResendInput } from '../../src/contract/webhook-resend.js';
import type { WebhookSender } from '../../src/webhooks/webhook-sender.js';
import type { NotifyWorkflows } from '../../src/domain/notify-targets.js';
import type { EarlierRun, RunOfChain } from '../../src/domain/start-check.js';
import type { PaymentsService } from '../../src/payments-service/payments-service.js';
import type { TokenSource } from '../../src/payments-service/token-source.js';
import type { Lingerers } from './lingerers.js';
import type { Turn } from './turns.js';

/** What activities that read need. `now` is Temporal's time, in milliseconds since the epoch: a machine's clock may be wrong. */
export type ReadingDeps = { service: PaymentsService; tokens: TokenSource; now: () => number };

/** An order of ours: its identifier at the service and its value in reais; null where that is not known. */
export type KnownOrder = { readonly serviceId: string | null; readonly value: number | null };

/** What activities that create need. */
export type SendingDeps = ReadingDeps & {
  /** Where the service reaches the gateway from outside, without a slash at the end. */
  publicUrl: string;
  /** The keys of postback capabilities; the first one signs. */
  postbackKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** Whether the workflow id was used before this chain of runs. Never throws. */
  earlierRun: (run: RunOfChain) => Promise<EarlierRun>;
  /**
   * Records right before the first byte that the activity with this task token sends, and waits until Temporal has
   * acknowledged it. Answers why nothing may be sent, or undefined when it may. Never throws.
   */
  markSending: (taskToken: Uint8Array) => Promise<string | undefined>;
  /** What Temporal knows of the order with this partner_code; undefined when nothing. Throws when it does not answer. */
  orderOf?: (partnerCode: string) => Promise<KnownOrder | undefined>;
  /** `always`: no payout is sent before a complete scan, as long as a restore or a failover is settled. */
  scanBeforeSend?: 'when_old' | 'always';
  /** The creating calls of payouts that linger in this process. */
  lingerers: Lingerers;
  /** Since when this process takes tasks, by Temporal's time. With `always`, what Temporal shows of earlier may be what was restored. */
  startedAtMs?: number;
};

/** What activities that need a card need; they run beside the card store, in the gateway's process. */
export type CardSendingDeps = SendingDeps & { cardStore: CardStore };

/** What notifications need. */
export type NotificationDeps = {
  webhooks: WebhookSender;
  /** What the ids of workflows begin with that payments may signal; none when absent. */
  notifyWorkflows?: readonly NotifyWorkflows[];
};

/** What activities need that act on our own payments; how that is done is given to them. */
export type OwnPaymentsDeps = ReadingDeps & {
  /** Starts a payout for an owner, or finds it. Throws when it is not known whether it was started. */
  startPayout: (input: PayoutInput, owner?: string) => Promise<RowOutcome>;
  /** What each payment of a batch or a bulk retry waits for beside its own pace; nothing, when absent. */
  turn?: Turn;
  /** Who owns a workflow: the name of an API key, or undefined when it is nobody's. */
  ownerOf: (workflowId: string) => Promise<string | undefined>;
  /** Our open payouts, page after page: those that have an identifier, or only those whose status may soon change. */
  openPayouts: (which: 'all' | 'moving') => AsyncIterable<readonly PaymentListing[]>;
  /** Our payouts, open or closed, that have one of these partner_codes or identifiers. */
  payoutsOf: (
    partnerCodes: readonly string[],
    serviceIds: readonly string[],
  ) => Promise<readonly PaymentListing[]>;
  /** The workflow ids of our other orders with this identifier of the service; for a payout, of our other payouts. */
  ownersOf: (serviceId: string, workflowId: string) => Promise<readonly string[]>;
  /**
   * How long after its scheduling the latest call of a run that no worker took timed out: milliseconds, by Temporal's
   * record; null when there is none. Throws when Temporal does not answer.
   */
  neverStartedAfterMs: (workflowId: string, runId: string) => Promise<number | null>;
  /**
   * Claims an identifier of the service for a payment; returns the workflow id of the payment that has it. Waits for
   * `searchableFromMs`, in Temporal's time: from then on search shows who had it before.
   */
  claim: (serviceId: string, workflowId: string, searchableFromMs: number) => Promise<string>;
  /** Identifiers that two of our orders, or two of our payouts, share, when one of the two has changed since then. */
  findShared: (since: string) => Promise<{
    shared: readonly { serviceId: string; workflowIds: readonly string[] }[];
    next_since: string;
    complete: boolean;
  }>;
  /** Signals a payment that another one has its identifier; does nothing when it is closed. */
  signalShared: (workflowId: string, shared: IdentifierShared) => Promise<void>;
  /** Makes a payout read its status now. False when it is closed. */
  hintPayout: (workflowId: string, status?: string) => Promise<boolean>;
  /** Our open payouts that may fit the filter of a bulk retry, part after part; search is a moment behind. */
  failedPayouts: (
    filter: BulkRetryFilter,
    cursor: string | null,
  ) => Promise<{ payouts: readonly PaymentListing[]; next_cursor: string | null }>;
  /** The bulk retries that run or wait; without the state of one that does not answer. Throws when they could not be searched. */
  openBulkRetries: () => Promise<
    readonly { readonly bulk_retry_id: string; readonly state: BulkRetryState | undefined }[]
  >;
  /**
   * The partner_codes of payouts that a bulk retry still has to retry, whether it still selects, and whether its check of other
   * bulk retries is finished. Throws when they could not be read.
   */
  pendingOf: (bulkRetryId: string) => Promise<{
    isChecked: boolean;
    isSelecting: boolean;
    codes: readonly string[];
  }>;
  /** The state of a payout of ours, as its workflow shows it; undefined when that does not answer or is gone. */
  payoutState: (partnerCode: string) => Promise<PayoutState | undefined>;
  /** A payout or order of ours, as its workflow shows it. Never throws for one that does not answer. */
  readPayment: (payment: NexusReadPayment) => Promise<PaymentAnswer>;
  /** Gives a payout the command `retryPayout`; the same command given again is not executed twice. */
  retryPayout: (partnerCode: string, command: RetryPayout) => Promise<RetryAnswer>;
  /** Our payments that have changed since a moment, page after page; of one owner if it is named. */
  changedPayments: (since: string, owner?: string) => Promise<ChangesPage>;
  /**
   * Whether the history of the payment that these notifications name shows that it had each of them for this webhook.
   * Throws when Temporal does not answer.
   */
  areOfPayment: (webhook: string, notifications: unknown) => Promise<boolean>;
  /** Sends notifications of a payment again; for one resend once at most. Never throws. */
  resendNotifications: (request: WebhookResendInput, workflowId: string) => Promise<ResendAnswer>;
};

/** What a reconciliation needs of it. */
export type ReconciliationDeps = ReadingDeps &
  Pick<OwnPaymentsDeps, 'openPayouts' | 'payoutsOf' | 'hintPayout'>;

/** What a payout answered to `retryPayout`; `unknown` when no answer came. */
export type RetryAnswer =
  { kind: 'taken' } | { kind: 'refused'; reason: string; message: string } | { kind: 'unknown' };

/** How many notifications are sent again, and how many were on their way still; or that nothing is known of them. */
export type ResendAnswer = { resent: number; waiting: number } | 'unreadable' | 'unavailable';

/** What `authenticate` needs. */
export type TokenDeps = Pick<ReadingDeps, 'service' | 'now'> & { clientSecret: string };

/** What `takeTurn` needs: whether creating calls have waited too long in their queue. */
export type TurnDeps = { readonly callsWait: () => Promise<boolean> };
