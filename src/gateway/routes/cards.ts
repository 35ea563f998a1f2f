import { creditCard } from '../../contract/card.js';
import type { CreditCard } from '../../contract/card.js';
import { cardTicket } from '../../contract/http/payments.js';
import type { CardTicket } from '../../contract/http/payments.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import type { GatewayCardStore } from '../deps.js';
import { unavailable } from '../http/http-error.js';

/** POST /v1/cards: a card into the card store, for an order or a 3D Secure completion to come. */
export function cardRoutes(app: GatewayApp, { deps }: GatewayServices): void {
  app.post(
    '/cards',
    {
      config: { scopes: ['oms'] },
      schema: {
        tags: ['cards'],
        summary: 'Put a card into the card store: in memory, for ten minutes',
        body: creditCard,
        response: { 201: cardTicket },
      },
    },
    async (request, reply) => reply.code(201).send(takeCard(deps.cardStore, request.body)),
  );
}

/** Puts a card into the card store. @throws HttpError 503 when it is full or stopping. */
export function takeCard(cardStore: GatewayCardStore, card: CreditCard): CardTicket {
  try {
    return cardStore.put(card);
  } catch (error) {
    throw unavailable(error instanceof Error ? error.message : 'No card can be taken now. Send it again.');
  }
}
