import { orderFilter } from '../../contract/http/list-filter.js';
import { orderListQuery, paymentPage } from '../../contract/http/lists.js';
import { newCardBody, orderParams, untilQuery } from '../../contract/http/payments.js';
import { acknowledgeAttentionBody, resolveSubmissionBody } from '../../contract/messages.js';
import { orderState } from '../../contract/state.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { allowEmptyBody, audited, commandAnswers, sendingOf, signed } from '../payments/commands.js';
import { withCard } from '../payments/card-for-command.js';
import { ownPart, reachable } from '../payments/ownership.js';
import { stateOrWait } from '../payments/reads.js';

const tags = ['orders'];

/** GET /v1/orders and GET /v1/orders/{partner_code}: orders of every kind. */
export function orderReadRoutes(app: GatewayApp, { payments, orderWaits }: GatewayServices): void {
  app.get(
    '/orders',
    {
      config: { purpose: 'read' },
      schema: {
        tags,
        operationId: 'listOrders',
        summary: 'List orders',
        querystring: orderListQuery,
        response: { 200: paymentPage },
      },
    },
    async (request) => payments.list({ ...orderFilter(request.query), ...ownPart(request) }),
  );

  app.get(
    '/orders/:partner_code',
    {
      config: { purpose: 'read' },
      schema: {
        tags,
        operationId: 'getOrder',
        summary: 'Show an order; with Prefer: wait=N, once its status is one of ?until=',
        params: orderParams,
        querystring: untilQuery,
        response: { 200: orderState },
      },
    },
    async (request) =>
      stateOrWait(request, await reachable(request, payments.order(request.params.partner_code)), orderWaits),
  );
}

/** The commands that orders of every kind take. */
export function orderCommandRoutes(app: GatewayApp, { deps, payments }: GatewayServices): void {
  allowEmptyBody(app);

  app.post(
    '/orders/:partner_code/card',
    {
      config: { purpose: 'command' },
      schema: {
        tags,
        operationId: 'provideCard',
        summary: 'Give a new card to an order that lost its own',
        params: orderParams,
        body: newCardBody,
        response: commandAnswers(orderState),
      },
    },
    async (request) => {
      const { credit_card, card, ...command } = request.body;
      const order = payments.order(request.params.partner_code);
      return audited(request, 'provideCard', order.workflowId, async () => {
        await reachable(request, order);
        return withCard(request, deps.cardStore, { credit_card, card }, (reference) =>
          order.provideCard(signed(request, { ...reference, ...command }), sendingOf(request)),
        );
      });
    },
  );

  app.post(
    '/orders/:partner_code/resolve',
    {
      config: { purpose: 'command', scopes: ['operator'], command: 'resolveSubmission' },
      schema: {
        tags,
        operationId: 'resolveOrder',
        summary: 'Resolve a submission of unknown outcome',
        params: orderParams,
        body: resolveSubmissionBody,
        response: commandAnswers(orderState),
      },
    },
    async (request) => {
      const order = payments.order(request.params.partner_code);
      return audited(request, 'resolveSubmission', order.workflowId, () =>
        order.resolve(signed(request, request.body), sendingOf(request)),
      );
    },
  );

  app.post(
    '/orders/:partner_code/acknowledge',
    {
      config: { purpose: 'command', scopes: ['operator'], command: 'acknowledgeAttention' },
      schema: {
        tags,
        operationId: 'acknowledgeOrder',
        summary: 'Acknowledge an attention that an operator has dealt with',
        params: orderParams,
        body: acknowledgeAttentionBody,
        response: commandAnswers(orderState),
      },
    },
    async (request) => {
      const order = payments.order(request.params.partner_code);
      return audited(request, 'acknowledgeAttention', order.workflowId, () =>
        order.acknowledge(signed(request, request.body), sendingOf(request)),
      );
    },
  );
}
