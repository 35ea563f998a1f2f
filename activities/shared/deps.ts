import type { CardStore } from '../../src/card-store/card-store.js';
import type { PaymentListing } from '../../src/contract/http/lists.js';
import type { RowOutcome } from '../../src/contract/payout-batch.js';
import type { PayoutInput } from '../../src/contract/payout.js';
import type { WebhookSender } from '../../src/webhooks/webhook-sender.js';
import type { PaymentsService } from '../../src/payments-service/payments-service.js';
import type { TokenSource } from '../../src/payments-service/token-source.js';

/** What activities that read need. */
export type ReadingDeps = { service: PaymentsService; tokens: TokenSource };

/** What activities that create need. */
export type SendingDeps = ReadingDeps & {
  /** Where the service reaches the gateway from outside, without a slash at the end. */
  publicUrl: string;
  /** The keys of postback capabilities; the first one signs. */
  postbackKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** `always`: no payout is sent before a complete scan, as long as a restore or a failover is settled. */
  scanBeforeSend?: 'when_old' | 'always';
};

/** What activities that need a card need; they run beside the card store, in the gateway's process. */
export type CardSendingDeps = SendingDeps & { cardStore: CardStore };

/** What telling the OMS needs. */
export type NotificationDeps = {
  webhooks: WebhookSender;
  /** What the ids of workflows begin with that payments may signal; none when absent. */
  notifyWorkflows?: readonly string[];
};

/** What activities need that act on our own payments; how that is done is given to them. */
export type OwnPaymentsDeps = ReadingDeps & {
  /** Starts a payout for an owner, or finds it. Throws when it is not known whether it was started. */
  startPayout: (input: PayoutInput, owner?: string) => Promise<RowOutcome>;
  /** Who owns a workflow: the name of an API key, or undefined when it is nobody's. */
  ownerOf: (workflowId: string) => Promise<string | undefined>;
  /** Our open payouts, part after part: those that have an identifier, or only those whose status may soon change. */
  openPayouts: (which: 'all' | 'moving') => AsyncIterable<readonly PaymentListing[]>;
  /** Our payouts, open or closed, that have one of these partner_codes or identifiers. */
  payoutsOf: (
    partnerCodes: readonly string[],
    serviceIds: readonly string[],
  ) => Promise<readonly PaymentListing[]>;
  /** The workflow ids of our payments, of any kind but refunds, that have this identifier of the service. */
  ownersOf: (serviceId: string) => Promise<readonly string[]>;
  /** Makes a payout read its status now. False when it is closed. */
  hintPayout: (workflowId: string, status?: string) => Promise<boolean>;
};

/** What `authenticate` needs. */
export type TokenDeps = { service: PaymentsService; clientSecret: string };
