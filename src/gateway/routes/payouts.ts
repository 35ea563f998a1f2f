import type { FastifyReply, FastifyRequest } from 'fastify';
import { payoutFilter } from '../../contract/http/list-filter.js';
import { paymentPage, payoutListQuery } from '../../contract/http/lists.js';
import { payoutParams, untilQuery } from '../../contract/http/payments.js';
import { pixPayoutBody, transferPayoutBody } from '../../contract/payout.js';
import type { PayoutInput } from '../../contract/payout.js';
import { payoutState } from '../../contract/state.js';
import { workflowIdOf } from '../../domain/ids.js';
import { answerStart } from '../payments/answer-start.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { startedPayout } from '../payments/started-states.js';
import { auditedStart } from '../payments/commands.js';
import { ownPart, reachable, startedFor } from '../payments/ownership.js';
import { stateOrWait } from '../payments/reads.js';

const tags = ['payouts'];
const states = { 200: payoutState, 201: payoutState, 202: payoutState };

/** POST /v1/payouts/pix and /transfer: the service's `POST /v1/payout/pix`, POST /v1/payout/transfer. */
export function payoutStartRoutes(app: GatewayApp, services: GatewayServices): void {
  const start = async (request: FastifyRequest, reply: FastifyReply, input: PayoutInput) =>
    answerStart(request, reply, {
      ...(await auditedStart(request, 'startPayout', workflowIdOf('payout', input.partner_code), () =>
        services.payments.startPayout(input, startedFor(request)),
      )),
      initial: startedPayout(input, services.now(), request.caller?.name),
      waits: services.payoutWaits,
      metrics: services.metrics,
      location: `/v1/payouts/${input.partner_code}`,
    });

  app.post(
    '/payouts/pix',
    {
      config: { purpose: 'start', scopes: ['oms'], command: 'startPayout' },
      schema: {
        tags,
        operationId: 'startPixPayout',
        summary: 'Start a pix payout',
        body: pixPayoutBody,
        response: states,
      },
    },
    async (request, reply) => start(request, reply, { ...request.body, method: 'pix' }),
  );

  app.post(
    '/payouts/transfer',
    {
      config: { purpose: 'start', scopes: ['oms'], command: 'startPayout' },
      schema: {
        tags,
        operationId: 'startTransferPayout',
        summary: 'Start a bank transfer payout',
        body: transferPayoutBody,
        response: states,
      },
    },
    async (request, reply) => start(request, reply, { ...request.body, method: 'transfer' }),
  );
}

/** GET /v1/payouts and GET /v1/payouts/{partner_code}. */
export function payoutReadRoutes(app: GatewayApp, { payments, payoutWaits }: GatewayServices): void {
  app.get(
    '/payouts',
    {
      config: { purpose: 'read' },
      schema: {
        tags,
        operationId: 'listPayouts',
        summary: 'List payouts',
        querystring: payoutListQuery,
        response: { 200: paymentPage },
      },
    },
    async (request) => payments.list({ ...payoutFilter(request.query), ...ownPart(request) }),
  );

  app.get(
    '/payouts/:partner_code',
    {
      config: { purpose: 'read' },
      schema: {
        tags,
        operationId: 'getPayout',
        summary: 'Show a payout; with Prefer: wait=N, once its status is one of ?until=',
        params: payoutParams,
        querystring: untilQuery,
        response: { 200: payoutState },
      },
    },
    async (request) =>
      stateOrWait(
        request,
        await reachable(request, payments.payout(request.params.partner_code)),
        payoutWaits,
      ),
  );
}
