import { creditCard } from '../../contract/card.js';
import { cardTicket } from '../../contract/http/payments.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { audited } from '../payments/commands.js';
import { takeCard } from '../payments/take-card.js';

/** POST /v1/cards: a card into the card store, for an order or a 3D Secure completion to come. */
export function cardRoutes(app: GatewayApp, { deps }: GatewayServices): void {
  app.post(
    '/cards',
    {
      config: { scopes: ['oms'] },
      schema: {
        tags: ['cards'],
        operationId: 'storeCard',
        summary: 'Put a card into the card store: in memory, for ten minutes',
        body: creditCard,
        response: { 201: cardTicket },
      },
    },
    async (request, reply) => {
      const ticket = await audited(request, 'storeCard', undefined, () =>
        Promise.resolve(takeCard(request, deps.cardStore, request.body)),
      );
      return reply.code(201).send(ticket);
    },
  );
}
