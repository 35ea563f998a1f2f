import type { FastifyRequest } from 'fastify';
import { PaymentConflictError } from '../../client/errors.js';
import { offerCard } from '../../client/offer-card.js';
import { cardOrderBody } from '../../contract/order.js';
import type { CardOrderBody } from '../../contract/order.js';
import { orderState } from '../../contract/state.js';
import { workflowIdOf } from '../../domain/ids.js';
import { answerStart } from '../payments/answer-start.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { startedOrder } from '../payments/started-states.js';
import { auditedStart } from '../payments/commands.js';
import { startedFor } from '../payments/ownership.js';
import { takeCard } from '../payments/take-card.js';

/** POST /v1/orders/card: the service's `POST /v1/order`. The card in it goes to the card store, not into the order. */
export function cardOrderRoutes(app: GatewayApp, services: GatewayServices): void {
  app.post(
    '/orders/card',
    {
      config: { purpose: 'start', scopes: ['oms'] },
      schema: {
        tags: ['orders'],
        operationId: 'startCardOrder',
        summary: 'Start a card order',
        body: cardOrderBody,
        response: { 200: orderState, 201: orderState, 202: orderState },
      },
    },
    async (request, reply) => {
      const { payment, repeated } = await startWithCard(services, request, request.body);
      return answerStart(request, reply, {
        payment,
        repeated,
        initial: startedOrder('card_order', request.body.order, services.now(), request.caller?.name),
        waits: services.orderWaits,
        metrics: services.metrics,
        location: `/v1/orders/${request.body.order.partner_code}`,
      });
    },
  );
}

async function startWithCard(
  { deps, payments }: GatewayServices,
  request: FastifyRequest,
  body: CardOrderBody,
) {
  const { credit_card, card, ...order } = body;
  const ticket = credit_card === undefined ? undefined : takeCard(request, deps.cardStore, credit_card);
  const reference = ticket ?? card;
  let needed = false;
  try {
    const input = { ...order, ...(reference === undefined ? {} : { card: reference }) };
    const workflowId = workflowIdOf('card_order', order.order.partner_code);
    const started = await auditedStart(request, 'startCardOrder', workflowId, () =>
      payments.startCardOrder(input, startedFor(request)),
    );
    needed = !started.repeated || (await offerCard(started.payment, reference));
    return started;
  } catch (error) {
    // Unless another order has the code, it may have been started although no answer came: then it needs the card.
    needed = !(error instanceof PaymentConflictError);
    throw error;
  } finally {
    if (ticket !== undefined && !needed) deps.cardStore.discard(ticket.card_ref);
  }
}
