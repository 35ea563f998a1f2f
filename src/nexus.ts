import { operation, service } from 'nexus-rpc';
import type {
  NexusAbandonPayout,
  NexusAwaitOutcome,
  NexusPayment,
  NexusReadPayment,
  NexusRetryPayout,
  NexusStartCardOrder,
  NexusStarted,
  NexusStartHostedCheckout,
  NexusStartPayout,
  NexusStartThreeDSecureOrder,
} from './contract/nexus.js';
import type { PayoutState } from './contract/state.js';
import { nexusServiceName } from './domain/nexus.js';

export type {
  NexusAbandonPayout,
  NexusAwaitOutcome,
  NexusPayment,
  NexusReadPayment,
  NexusRetryPayout,
  NexusStartCardOrder,
  NexusStarted,
  NexusStartHostedCheckout,
  NexusStartPayout,
  NexusStartThreeDSecureOrder,
} from './contract/nexus.js';

/**
 * The Nexus service `payments`: payouts and orders for workflows of another namespace. Each operation may be repeated;
 * a start that is repeated finds the payment of its partner_code. A workflow may import this file.
 */
export const paymentsService = service(nexusServiceName, {
  /** Starts a pix or transfer payout. */
  startPayout: operation<NexusStartPayout, NexusStarted>(),
  /** Starts a card order, whose card waits at a gateway. No operation takes a card itself. */
  startCardOrder: operation<NexusStartCardOrder, NexusStarted>(),
  /** Starts a hosted checkout. The customer is sent to `checkout.url` of the state. */
  startHostedCheckout: operation<NexusStartHostedCheckout, NexusStarted>(),
  /** Starts a 3D Secure order, which goes on over HTTP: its token and its card are for the gateway alone. */
  startThreeDSecureOrder: operation<NexusStartThreeDSecureOrder, NexusStarted>(),
  /** The state now. */
  readPayment: operation<NexusReadPayment, NexusPayment>(),
  /** The state at the end of the payment, when it needs an operator, or at one of the statuses named. */
  awaitOutcome: operation<NexusAwaitOutcome, NexusPayment>(),
  /** Pays a failed payout again, perhaps with corrected payee data. */
  retryPayout: operation<NexusRetryPayout, PayoutState>(),
  /** Gives a failed payout up. */
  abandonPayout: operation<NexusAbandonPayout, PayoutState>(),
});
