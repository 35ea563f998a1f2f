import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { OrderHandle, OrderState, RefundHandle, RefundState } from '../../client.js';
import { CommandRefusedError, PaymentConflictError, PaymentNotFoundError } from '../../client/errors.js';
import type { Execution } from '../../client/execution.js';
import { orderParams, untilQuery } from '../../contract/http/payments.js';
import { acknowledgeAttentionBody, resolveRefundBody, retryRefundBody } from '../../contract/messages.js';
import { refundBody, type RefundBody } from '../../contract/refund.js';
import { refundState } from '../../contract/state.js';
import { refundValueProblem, unchargedObjection } from '../../domain/refund-stages.js';
import { isUncharged, ownStatuses } from '../../domain/statuses.js';
import { answerStart } from '../payments/answer-start.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { startedRefund } from '../payments/started-states.js';
import {
  allowEmptyBody,
  audited,
  auditedStart,
  auditedUnlessFound,
  commandAnswers,
  sendingOf,
  signed,
} from '../payments/commands.js';
import { HttpError, invalidRequest } from '../http/http-error.js';
import { reachable, reachableExecution, seesAll, startedFor } from '../payments/ownership.js';
import { stateOrWait } from '../payments/reads.js';
import { isSameIdentifier } from '../../domain/service-ids.js';

const tags = ['refunds'];

/** A read that is asked for is there within a second, or the service is slow. */
const freshReadEveryMs = 250;
const freshReadLooks = 20;

/** POST and GET /v1/orders/{partner_code}/refund, and its commands /retry, /resolve and /acknowledge. */
export function refundRoutes(app: GatewayApp, services: GatewayServices): void {
  const { payments, refundWaits, metrics, now } = services;
  allowEmptyBody(app);

  app.post(
    '/orders/:partner_code/refund',
    {
      config: { purpose: 'start', scopes: ['oms', 'operator'] },
      schema: {
        tags,
        operationId: 'startRefund',
        summary: 'Refund an order; a second request answers with the first one',
        params: orderParams,
        body: refundBody,
        response: { 200: refundState, 201: refundState, 202: refundState },
      },
    },
    async (request, reply) => {
      const { partner_code } = request.params;
      const order = await auditedUnlessFound(request, 'startRefund', () =>
        orderToRefund(services, request, request.body),
      );
      const input = signed(request, { partner_code, ...request.body, ...order });
      const known = payments.refund(input.service_id);
      const started = await auditedStart(request, 'startRefund', known.workflowId, async () => {
        const existing = await unlessUnknown(() => known.state());
        if (existing === undefined) return payments.startRefund(input, startedFor(request));
        if (existing.partner_code === partner_code) return { payment: known, repeated: true };
        throw new PaymentConflictError(known.workflowId, 'request');
      });
      return answerStart(request, reply, {
        ...started,
        initial: startedRefund(input, now(), request.caller?.name),
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
        operationId: 'getRefund',
        summary: 'Show the refund of an order; with Prefer: wait=N, once its status is one of ?until=',
        params: orderParams,
        querystring: untilQuery,
        response: { 200: refundState },
      },
    },
    async (request) => {
      const { partner_code } = request.params;
      const known = await orderIfAny(services, request, partner_code);
      const serviceId = await known?.order.serviceId(known.execution);
      // The refund of an order is its owner's to see, whoever requested it; one that has but the code of an order is not.
      const refund =
        serviceId === undefined || serviceId === null
          ? await reachable(request, await payments.refundOfOrder(partner_code))
          : payments.refund(serviceId);
      return stateOrWait(request, refund, refundWaits);
    },
  );

  const give = async (
    request: FastifyRequest,
    partnerCode: string,
    name: string,
    act: (refund: RefundHandle) => Promise<RefundState>,
  ) => {
    const refund = await auditedUnlessFound(request, name, () => payments.refundOfOrder(partnerCode));
    return audited(request, name, refund.workflowId, () => act(refund));
  };
  const schema = { tags, params: orderParams, response: commandAnswers(refundState) };

  app.post(
    '/orders/:partner_code/refund/retry',
    {
      config: { purpose: 'command', scopes: ['operator'] },
      schema: {
        ...schema,
        operationId: 'retryRefund',
        summary: 'Ask for a refund once more, after a fresh read',
        body: retryRefundBody,
      },
    },
    async (request) =>
      give(request, request.params.partner_code, 'retryRefund', (refund) =>
        refund.retry(signed(request, request.body), sendingOf(request)),
      ),
  );

  app.post(
    '/orders/:partner_code/refund/resolve',
    {
      config: { purpose: 'command', scopes: ['operator'] },
      schema: {
        ...schema,
        operationId: 'resolveRefund',
        summary: 'Record the outcome of a refund',
        body: resolveRefundBody,
      },
    },
    async (request) =>
      give(request, request.params.partner_code, 'resolveRefund', (refund) =>
        refund.resolveRefund(signed(request, request.body), sendingOf(request)),
      ),
  );

  app.post(
    '/orders/:partner_code/refund/acknowledge',
    {
      config: { purpose: 'command', scopes: ['operator'], command: 'acknowledgeAttention' },
      schema: {
        ...schema,
        operationId: 'acknowledgeRefund',
        summary: 'Acknowledge an attention that an operator has dealt with',
        body: acknowledgeAttentionBody,
      },
    },
    async (request) =>
      give(request, request.params.partner_code, 'acknowledgeAttention', (refund) =>
        refund.acknowledge(signed(request, request.body), sendingOf(request)),
      ),
  );
}

/** What the refund needs of its order, or of an operator's body when its workflow is gone. */
async function orderToRefund(
  services: GatewayServices,
  request: FastifyRequest & { params: { partner_code: string } },
  body: RefundBody,
) {
  const known = await orderIfAny(services, request, request.params.partner_code);
  const named = body.service_id;
  if (known === undefined) {
    if (!seesAll(request)) throw needsOperator();
    const message = 'is needed: no order is known under this partner_code, or it has been removed';
    if (named === undefined) throw invalidRequest([{ field: 'service_id', message }]);
    return { service_id: named, ...(body.value === undefined ? {} : { value: body.value }) };
  }
  const { execution, order } = known;
  // Where nobody knows its identifier, a finding may name it.
  const service_id = (await order.serviceId(execution)) ?? (seesAll(request) ? named : undefined);
  if (service_id === undefined) throw notSubmitted(await order.state());
  if (named !== undefined && !isSameIdentifier(named, service_id)) {
    throw invalidRequest([{ field: 'service_id', message: 'is not the identifier of this order' }]);
  }
  const problem = refundValueProblem(body.value, execution);
  if (problem !== undefined) throw invalidRequest([{ field: 'value', message: problem }]);
  // Only then is a worker needed to answer.
  if (mayBeUncharged(execution.status)) await refuseUncharged(order);
  return { service_id, ...(execution.value === null ? {} : { value: execution.value }) };
}

/** The order, if there is one that the caller may see. */
async function orderIfAny(
  { payments }: GatewayServices,
  request: FastifyRequest,
  partnerCode: string,
): Promise<{ order: OrderHandle; execution: Execution } | undefined> {
  return unlessUnknown(async () => {
    const order = payments.order(partnerCode);
    return { order, execution: await reachableExecution(request, order) };
  });
}

/** The same for an order that is unknown and for one of someone else's. */
function needsOperator(): HttpError {
  const detail =
    'No order of yours is known under this partner_code. Another order is refunded by its service_id and a key ' +
    'with the scope operator. Nothing was refunded.';
  return new HttpError(403, 'forbidden', 'Forbidden', detail);
}

/**
 * Whether nobody has paid it by its status, or by one of ours: some of them stand while the service shows it as unpaid, and
 * search is seconds behind a young order.
 */
function mayBeUncharged(status: string | null): boolean {
  return status === null || isUncharged(status) || ownStatuses.order.some((own) => own === status);
}

/** Whether it was charged a fresh read decides; where none comes in time, the refund's own does. */
async function refuseUncharged(order: OrderHandle): Promise<void> {
  const before = await order.state();
  const shown = before.last_read?.status ?? null;
  // One that no read has shown yet is read as well: its status is that of the answer to its creation.
  if (before.closed || (shown !== null && !isUncharged(shown))) return;
  await order.hint('a refund is asked for');
  for (let look = 0; look < freshReadLooks; look += 1) {
    await sleep(freshReadEveryMs);
    const { last_read: read } = await order.state();
    if (read === null || read.at === before.last_read?.at) continue;
    if (!isUncharged(read.status)) return;
    throw new CommandRefusedError('NotCharged', `${unchargedObjection(read.status)} Nothing was sent.`);
  }
}

function notSubmitted({ status }: OrderState): CommandRefusedError {
  const detail = `This order is ${status} and has no identifier at the service, so there is nothing to refund.`;
  return new CommandRefusedError('NotSubmitted', detail);
}

async function unlessUnknown<Found>(look: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof PaymentNotFoundError) return undefined;
    throw error;
  }
}
