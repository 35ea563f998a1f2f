import { creditCard } from '../../contract/card.js';
import type { CreditCard } from '../../contract/card.js';
import { cardTicket } from '../../contract/http-payments.js';
import type { CardTicket } from '../../contract/http-payments.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import type { GatewayDesk } from '../deps.js';
import { unavailable } from '../http-error.js';

/** POST /v1/cards: a card into the desk, for an order or a 3D Secure completion to come. */
export function cardRoutes(app: GatewayApp, { deps }: GatewayServices): void {
  app.post(
    '/cards',
    {
      config: { scopes: ['oms'] },
      schema: {
        tags: ['cards'],
        summary: 'Put a card into the desk: in memory, for ten minutes',
        body: creditCard,
        response: { 201: cardTicket },
      },
    },
    async (request, reply) => reply.code(201).send(takeCard(deps.desk, request.body)),
  );
}

/** Puts a card into the desk. @throws HttpError 503 when it is full or stopping. */
export function takeCard(desk: GatewayDesk, card: CreditCard): CardTicket {
  try {
    return desk.put(card);
  } catch (error) {
    throw unavailable(error instanceof Error ? error.message : 'No card can be taken now. Send it again.');
  }
}
