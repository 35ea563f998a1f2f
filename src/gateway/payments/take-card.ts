import type { CreditCard } from '../../contract/card.js';
import type { CardTicket } from '../../contract/http/payments.js';
import type { GatewayCardStore } from '../deps.js';
import { unavailable } from '../http/http-error.js';

/** Puts a card into the card store. @throws HttpError 503 when it is full or stopping. */
export function takeCard(cardStore: GatewayCardStore, card: CreditCard): CardTicket {
  try {
    return cardStore.put(card);
  } catch (error) {
    throw unavailable(error instanceof Error ? error.message : 'No card can be taken now. Send it again.');
  }
}
