import { orderParams, threeDSecureCompletionBody } from '../../contract/http/payments.js';
import { issueThreeDSecureToken, threeDSecureToken } from '../../contract/messages.js';
import { orderState } from '../../contract/state.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { allowEmptyBody, audited, commandAnswers, sendingOf, signed } from '../payments/commands.js';
import { withCard } from '../payments/card-for-command.js';
import { reachable } from '../payments/ownership.js';

const tags = ['orders'];

/** POST /v1/orders/{partner_code}/3ds-token and /3ds-completion: the service's `GET /v1/3ds/token`, PUT /v1/3ds/order/{id}. */
export function threeDSecureRoutes(app: GatewayApp, { deps, payments }: GatewayServices): void {
  allowEmptyBody(app);

  app.post(
    '/orders/:partner_code/3ds-token',
    {
      config: { purpose: 'command', scopes: ['oms'] },
      schema: {
        tags,
        operationId: 'issueThreeDSecureToken',
        summary: "Get a token for the browser's 3D Secure flow, as often as needed",
        params: orderParams,
        body: issueThreeDSecureToken,
        response: { 200: threeDSecureToken },
      },
    },
    async (request) => {
      const order = payments.order(request.params.partner_code);
      return audited(request, 'issueThreeDSecureToken', order.workflowId, async () =>
        (await reachable(request, order)).issueThreeDSecureToken(),
      );
    },
  );

  app.post(
    '/orders/:partner_code/3ds-completion',
    {
      config: { purpose: 'command', scopes: ['oms'] },
      schema: {
        tags,
        operationId: 'completeThreeDSecure',
        summary: 'Complete a 3D Secure order with what the authentication came to and a card',
        params: orderParams,
        body: threeDSecureCompletionBody,
        response: commandAnswers(orderState),
      },
    },
    async (request) => {
      const { credit_card, card, ...command } = request.body;
      const order = payments.order(request.params.partner_code);
      return audited(request, 'completeThreeDSecure', order.workflowId, async () => {
        await reachable(request, order);
        return withCard(request, deps.cardStore, { credit_card, card }, (reference) =>
          order.completeThreeDSecure(signed(request, { ...command, card: reference }), sendingOf(request)),
        );
      });
    },
  );
}
