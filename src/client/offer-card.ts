import type { CardReference } from '../contract/card.js';
import { CommandPendingError, CommandRefusedError } from './errors.js';
import type { OrderHandle } from './order-handle.js';

/** Offers the card of a repeated request to an order that has lost its own. False when the order needs none. */
export async function offerCard(payment: OrderHandle, card: CardReference | undefined): Promise<boolean> {
  if (card === undefined || (await payment.state()).status !== 'awaiting_card') return false;
  try {
    await payment.provideCard(card);
    return true;
  } catch (error) {
    if (error instanceof CommandRefusedError) return false;
    // It has the card, and continues with it when the step under way has ended.
    if (error instanceof CommandPendingError) return true;
    throw error;
  }
}
