import type { FastifyRequest } from 'fastify';
import { creditCard } from '../../contract/card.js';
import type { CreditCard } from '../../contract/card.js';
import { cardTicket } from '../../contract/http-payments.js';
import type { CardTicket } from '../../contract/http-payments.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import type { GatewayDesk } from '../deps.js';
import { HttpError, unavailable } from '../http-error.js';

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
    async (request, reply) => reply.code(201).send(takeCard(request, deps.desk, request.body)),
  );
}

/** Puts a card of the caller into the desk. @throws HttpError 503 when it is full or stopping, 429 when the key has enough there */
export function takeCard(
  { caller }: Pick<FastifyRequest, 'caller'>,
  desk: GatewayDesk,
  card: CreditCard,
): CardTicket {
  try {
    return desk.put(card, caller?.name ?? '');
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'No card can be taken now. Send it again.';
    if (error instanceof Error && error.name === 'CardQuotaExceeded') {
      throw new HttpError(429, 'too-many-cards', 'Too many cards', detail, { retryAfterSeconds: 60 });
    }
    throw unavailable(detail);
  }
}
