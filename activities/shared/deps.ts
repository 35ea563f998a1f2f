import type { CardDesk } from '../../src/card-desk/desk.js';
import type { PaymentListing } from '../../src/contract/http-lists.js';
import type { RowOutcome } from '../../src/contract/payout-batch.js';
import type { PayoutInput } from '../../src/contract/payout.js';
import type { WebhookSender } from '../../src/notifications/webhook-sender.js';
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
};

/** What activities that need a card need; they run beside the desk, in the gateway's process. */
export type CardSendingDeps = SendingDeps & { desk: CardDesk };

/** What telling the OMS needs. */
export type NotificationDeps = {
  webhooks: WebhookSender;
  /** What the ids of workflows begin with that payments may signal; none when absent. */
  notifyWorkflows?: readonly string[];
};

/** What activities need that act on our own payments; how that is done is given to them. */
export type OwnPaymentsDeps = ReadingDeps & {
  /** Starts a payout, or finds it. Throws when it is not known whether it was started. */
  startPayout: (input: PayoutInput) => Promise<RowOutcome>;
  /** Our open payouts, part after part: those that have an identifier, or only those whose status may soon change. */
  openPayouts: (which: 'all' | 'moving') => AsyncIterable<readonly PaymentListing[]>;
  /** Our payouts, open or closed, that have one of these partner_codes or identifiers. */
  payoutsOf: (
    partnerCodes: readonly string[],
    serviceIds: readonly string[],
  ) => Promise<readonly PaymentListing[]>;
  /** Makes a payout read its status now. False when it is closed. */
  hintPayout: (workflowId: string, status?: string) => Promise<boolean>;
};

/** What `authenticate` needs. */
export type TokenDeps = { service: PaymentsService; clientSecret: string };
