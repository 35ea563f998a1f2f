import type { FastifyRequest } from 'fastify';
import { PaymentNotFoundError, type RefundHandle, type RefundState } from '../../client.js';
import { CommandRefusedError } from '../../client/errors.js';
import { orderParams, untilQuery } from '../../contract/http/payments.js';
import { acknowledgeAttention, resolveRefund, retryRefund } from '../../contract/messages.js';
import { refundBody, type RefundBody } from '../../contract/refund.js';
import { refundState } from '../../contract/state.js';
import { answerStart } from '../payments/answer-start.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { startedRefund } from '../payments/started-states.js';
import { allowEmptyBody, audited, signed } from '../payments/commands.js';
import { invalidRequest } from '../http/http-error.js';
import { stateOrWait } from '../payments/reads.js';

const tags = ['refunds'];

/** POST and GET /v1/orders/{partner_code}/refund, and its commands /retry, /resolve and /acknowledge. */
export function refundRoutes(app: GatewayApp, services: GatewayServices): void {
  const { payments, refundWaits, metrics } = services;
  allowEmptyBody(app);

  app.post(
    '/orders/:partner_code/refund',
    {
      config: { purpose: 'start', scopes: ['oms', 'operator'] },
      schema: {
        tags,
        summary: 'Refund an order; a second request answers with the first one',
        params: orderParams,
        body: refundBody,
        response: { 200: refundState, 201: refundState, 202: refundState },
      },
    },
    async (request, reply) => {
      const { partner_code } = request.params;
      const input = signed(request, {
        partner_code,
        ...(await orderToRefund(services, partner_code, request.body)),
      });
      const known = payments.refund(partner_code);
      const existing = await stateIfAny(known);
      if (existing !== undefined) refuseOther(existing, input.service_id);
      return answerStart(request, reply, {
        ...(existing === undefined ? await payments.startRefund(input) : { payment: known, repeated: true }),
        initial: startedRefund(input),
        waits: refundWaits,
        metrics,
        location: `/v1/orders/${partner_code}/refund`,
      });
    },
  );

  app.get(
    '/orders/:partner_code/refund',
    {
      config: { purpose: 'read' },
      schema: {
        tags,
        summary: 'Show the refund of an order; with Prefer: wait=N, as soon as its status is one of ?until=',
        params: orderParams,
        querystring: untilQuery,
        response: { 200: refundState },
      },
    },
    async (request) => stateOrWait(request, payments.refund(request.params.partner_code), refundWaits),
  );

  const give = (
    request: FastifyRequest,
    partnerCode: string,
    name: string,
    act: (refund: RefundHandle) => Promise<RefundState>,
  ) => audited(request, name, () => act(payments.refund(partnerCode)));
  const schema = { tags, params: orderParams, response: { 200: refundState } };

  app.post(
    '/orders/:partner_code/refund/retry',
    {
      config: { purpose: 'command', scopes: ['operator'] },
      schema: { ...schema, summary: 'Ask for a refund once more, after a fresh read', body: retryRefund },
    },
    async (request) =>
      give(request, request.params.partner_code, 'retryRefund', (refund) =>
        refund.retry(signed(request, request.body)),
      ),
  );

  app.post(
    '/orders/:partner_code/refund/resolve',
    {
      config: { purpose: 'command', scopes: ['operator'] },
      schema: { ...schema, summary: 'Say what became of a refund', body: resolveRefund },
    },
    async (request) =>
      give(request, request.params.partner_code, 'resolveRefund', (refund) =>
        refund.resolveRefund(signed(request, request.body)),
      ),
  );

  app.post(
    '/orders/:partner_code/refund/acknowledge',
    {
      config: { purpose: 'command', scopes: ['operator'] },
      schema: {
        ...schema,
        summary: 'Say that a person has dealt with the attention',
        body: acknowledgeAttention,
      },
    },
    async (request) =>
      give(request, request.params.partner_code, 'acknowledgeAttention', (refund) =>
        refund.acknowledge(signed(request, request.body)),
      ),
  );
}

/** What the refund needs of its order: from its state, or from the body when its workflow is gone. */
async function orderToRefund({ payments }: GatewayServices, partnerCode: string, body: RefundBody) {
  const order = await stateIfAny(payments.order(partnerCode));
  const named = body.service_id;
  const known = order?.service_id ?? undefined;
  if (order !== undefined && known === undefined && named === undefined) {
    throw new CommandRefusedError(
      'NotSubmitted',
      `This order is ${order.status} and has no identifier at the service, so there is nothing to refund.`,
    );
  }
  if (known !== undefined && named !== undefined && named !== known) {
    throw invalidRequest([{ field: 'service_id', message: 'is not the identifier of this order' }]);
  }
  const service_id = known ?? named;
  if (service_id === undefined) {
    const message = 'is needed: no order is known under this partner_code, or it has been removed';
    throw invalidRequest([{ field: 'service_id', message }]);
  }
  const value = order?.value ?? body.value;
  return { ...body, service_id, ...(value === undefined ? {} : { value }) };
}

function refuseOther(existing: RefundState, serviceId: string): void {
  if (existing.service_id === null || existing.service_id === serviceId) return;
  throw invalidRequest([
    { field: 'service_id', message: 'is not the identifier of the order that this refund is of' },
  ]);
}

async function stateIfAny<State>(payment: { state(): Promise<State> }): Promise<State | undefined> {
  try {
    return await payment.state();
  } catch (error) {
    if (error instanceof PaymentNotFoundError) return undefined;
    throw error;
  }
}
