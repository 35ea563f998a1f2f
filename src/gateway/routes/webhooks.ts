import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { NotifiedPayment, WebhookResendHandle } from '../../client.js';
import { WebhookResendNotFoundError } from '../../client/errors.js';
import { notificationList, notificationsQuery } from '../../contract/http/notifications.js';
import { webhookPingBody, webhookPingResult } from '../../contract/webhook-ping.js';
import { resendId, webhookResendBody, webhookResendState } from '../../contract/webhook-resend.js';
import { webhookResendWorkflowId } from '../../domain/ids.js';
import { findNotifyTarget, noWebhook } from '../../domain/notify-targets.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { HttpError } from '../http/http-error.js';
import { audited, auditedStart, signed } from '../payments/commands.js';
import { ownerFor, reachable, seesAll, startedFor } from '../payments/ownership.js';

const tags = ['webhooks'];
const params = z.object({ resend_id: resendId });

/** A payment of many months, resent now and then; whoever needs more asks by the command line. */
const mostRead = { runs: 10, deliverers: 10 } as const;

/** GET /v1/notifications, POST /v1/webhook-resends, GET /v1/webhook-resends/{resend_id}, POST /v1/webhooks/ping. */
export function webhookRoutes(app: GatewayApp, { costlyReads, deps, payments }: GatewayServices): void {
  app.get(
    '/notifications',
    {
      config: { purpose: 'read' },
      schema: {
        tags,
        operationId: 'listNotifications',
        summary: 'List the notifications of a payment by webhook, and what became of each',
        querystring: notificationsQuery,
        response: { 200: notificationList },
      },
    },
    async (request, reply) => {
      costlyReads.begin(request, reply);
      const payment = await reachable(request, payments.notifiedPayment(request.query.workflow_id));
      return payment.notifications(mostRead);
    },
  );

  app.post(
    '/webhook-resends',
    {
      config: { purpose: 'start' },
      schema: {
        tags,
        operationId: 'startWebhookResend',
        summary: 'Send notifications again: of a payment, or of all that have changed since a moment',
        body: webhookResendBody,
        response: { 200: webhookResendState, 202: webhookResendState },
      },
    },
    async (request, reply) => {
      const { resend_id: id, workflow_id: paymentId, owner } = request.body;
      const workflowId = webhookResendWorkflowId(id);
      const { repeated, state } = await auditedStart(request, 'startWebhookResend', workflowId, async () => {
        const ofOwner = ownerFor(request, 'owner', owner);
        if (paymentId !== undefined) await mustReach(request, payments.notifiedPayment(paymentId));
        const resend = { ...request.body, ...(ofOwner === undefined ? {} : { owner: ofOwner }) };
        return payments.startWebhookResend(signed(request, resend), startedFor(request));
      });
      void reply.header('location', `/v1/webhook-resends/${id}`);
      return reply.code(repeated ? 200 : 202).send(state);
    },
  );

  app.get(
    '/webhook-resends/:resend_id',
    {
      config: { purpose: 'read' },
      schema: {
        tags,
        operationId: 'getWebhookResend',
        summary: 'Show how far a resend is',
        params,
        response: { 200: webhookResendState },
      },
    },
    async (request) => (await ownResend(request, payments.webhookResend(request.params.resend_id))).state(),
  );

  app.post(
    '/webhooks/ping',
    {
      config: { purpose: 'other' },
      schema: {
        tags,
        operationId: 'pingWebhook',
        summary: 'Call a webhook once with a message about no payment, to see whether it is reached',
        body: webhookPingBody,
        response: { 200: webhookPingResult },
      },
    },
    async (request) => {
      const { webhook } = request.body;
      const target = findNotifyTarget(deps.notifyTargets ?? [], webhook, request.caller?.name ?? null);
      return audited(request, 'pingWebhook', undefined, async () => {
        if (target === undefined) throw new HttpError(404, 'not-found', 'Not found', `This ${noWebhook}.`);
        return payments.pingWebhook({ webhook });
      });
    },
  );
}

/** @throws PaymentNotFoundError also when someone else started it, or nobody did */
async function mustReach(request: FastifyRequest, payment: NotifiedPayment): Promise<void> {
  const { workflowId } = request;
  await (await reachable(request, payment)).execution();
  request.workflowId = workflowId;
}

/** @throws WebhookResendNotFoundError also when someone else started it: the caller learns nothing of it */
async function ownResend(
  request: Pick<FastifyRequest, 'caller' | 'workflowId'>,
  resend: WebhookResendHandle,
): Promise<WebhookResendHandle> {
  request.workflowId = resend.workflowId;
  if (seesAll(request) || (await resend.owner()) === request.caller?.name) return resend;
  throw new WebhookResendNotFoundError(resend.workflowId);
}
