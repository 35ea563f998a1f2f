import type { CreditCard } from '../../contract/card.js';
import type { CardTicket } from '../../contract/http/payments.js';
import type { GatewayCardStore } from '../deps.js';
import { HttpError, unavailable } from '../http/http-error.js';
import type { Requested } from './ownership.js';

/** Puts a card of the caller into the card store. @throws HttpError 503 when it is full or stopping, 429 when the key has enough there */
export function takeCard(request: Requested, cardStore: GatewayCardStore, card: CreditCard): CardTicket {
  try {
    return cardStore.put(card, request.caller?.name ?? '');
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'No card can be taken now. Send it again.';
    if (error instanceof Error && error.name === 'CardQuotaExceeded') {
      throw new HttpError(429, 'too-many-cards', 'Too many cards', detail, { retryAfterSeconds: 60 });
    }
    throw unavailable(detail);
  }
}
