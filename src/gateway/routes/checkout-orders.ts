import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OrderHandle, Started } from '../../client.js';
import { hostedCheckoutBody, threeDSecureOrderBody } from '../../contract/order.js';
import { orderState } from '../../contract/state.js';
import { workflowIdOf } from '../../domain/ids.js';
import type { OrderKind } from '../../domain/kinds.js';
import { answerStart } from '../payments/answer-start.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { startedOrder } from '../payments/started-states.js';
import { auditedStart } from '../payments/commands.js';
import { startedFor } from '../payments/ownership.js';

const tags = ['orders'];
const states = { 200: orderState, 201: orderState, 202: orderState };
/** The caller needs the service's answer to go on with the customer, so these starts wait for it unless `Prefer` sets the wait. */
const waitForAnswerMs = 10_000;

/** POST /v1/orders/checkout and /3ds: the service's `POST /v1/checkout`, POST /v1/3ds/order. */
export function checkoutOrderRoutes(
  app: GatewayApp,
  { payments, orderWaits, metrics, now }: GatewayServices,
): void {
  const answer = (
    request: FastifyRequest,
    reply: FastifyReply,
    kind: OrderKind,
    order: { partner_code: string; value: number },
    started: Started<OrderHandle>,
  ) =>
    answerStart(request, reply, {
      ...started,
      initial: startedOrder(kind, order, now(), request.caller?.name),
      waits: orderWaits,
      metrics,
      location: `/v1/orders/${order.partner_code}`,
      waitMs: waitForAnswerMs,
    });

  app.post(
    '/orders/checkout',
    {
      config: { purpose: 'start', scopes: ['oms'] },
      schema: {
        tags,
        operationId: 'startHostedCheckout',
        summary: 'Start a hosted checkout; the answer says where to send the customer: checkout.url',
        body: hostedCheckoutBody,
        response: states,
      },
    },
    async (request, reply) => {
      const started = await auditedStart(request, 'startHostedCheckout', orderId(request.body), () =>
        payments.startHostedCheckout(request.body, startedFor(request)),
      );
      return answer(request, reply, 'hosted_checkout', request.body.order, started);
    },
  );

  app.post(
    '/orders/3ds',
    {
      config: { purpose: 'start', scopes: ['oms'] },
      schema: {
        tags,
        operationId: 'startThreeDSecureOrder',
        summary: 'Start a 3D Secure order; then 3ds-token for the browser and 3ds-completion',
        body: threeDSecureOrderBody,
        response: states,
      },
    },
    async (request, reply) => {
      const started = await auditedStart(request, 'startThreeDSecureOrder', orderId(request.body), () =>
        payments.startThreeDSecureOrder(request.body, startedFor(request)),
      );
      return answer(request, reply, 'three_d_secure_order', request.body.order, started);
    },
  );
}

function orderId({ order }: { order: { partner_code: string } }): string {
  return workflowIdOf('hosted_checkout', order.partner_code);
}
