import type { CreditCard } from '../../contract/card.js';
import type { CardTicket } from '../../contract/http/payments.js';
import type { GatewayCardStore } from '../deps.js';
import { HttpError, unavailable } from '../http/http-error.js';
import { seesAll, type Requested } from './ownership.js';

/** Puts a card into the card store, for payments of the caller, or for any when it sees all. @throws HttpError 503 when it is full or stopping, 429 when the key has enough there */
export function takeCard(request: Requested, cardStore: GatewayCardStore, card: CreditCard): CardTicket {
  try {
    const name = request.caller?.name ?? '';
    return cardStore.put(card, name, seesAll(request) ? null : name);
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'No card can be taken now. Send it again.';
    if (error instanceof Error && error.name === 'CardQuotaExceeded') {
      throw new HttpError(429, 'too-many-cards', 'Too many cards', detail, { retryAfterSeconds: 60 });
    }
    throw unavailable(detail);
  }
}
