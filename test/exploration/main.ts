import { withoutStacks } from '../simulation/main.js';
import { CardOrderModel, HostedCheckoutModel } from './order-model.js';
import { PayoutModel } from './payout-model.js';
import { RefundModel } from './refund-model.js';
import { ThreeDSecureModel } from './three-d-secure-model.js';
import { search, type Explored, type Reach } from './search.js';

/** What is explored of each lifecycle. */
export type Bounds = Reach & { readonly attempts: number; readonly resets: number; readonly changes: number };

export const kinds = ['payout', 'card_order', 'hosted_checkout', 'three_d_secure_order', 'refund'] as const;
export type Kind = (typeof kinds)[number];

/** Plays every sequence of moves of a lifecycle, up to a depth or so many states. */
export function explore(kind: Kind, bounds: Bounds): Promise<Explored> {
  return withoutStacks(() => {
    switch (kind) {
      case 'payout':
        return search(new PayoutModel(bounds), bounds);
      case 'card_order':
        return search(new CardOrderModel(bounds), bounds);
      case 'hosted_checkout':
        return search(new HostedCheckoutModel(bounds), bounds);
      case 'three_d_secure_order':
        return search(new ThreeDSecureModel(bounds), bounds);
      case 'refund':
        return search(new RefundModel(bounds), bounds);
    }
  });
}
