import { TemporalUnavailableError } from '../../client/errors.js';
import { describeExecution } from '../../client/execution.js';
import { callTemporal } from '../../client/temporal-calls.js';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { FastifyRequest } from 'fastify';
import { workflowIdOfCapability } from '../../contract/postback-capability.js';
import type { PostbackReceived } from '../../contract/messages.js';
import { beginningWithoutPans, withoutLongDigits } from '../../domain/cards.js';
import { refundWorkflowId } from '../../domain/ids.js';
import { isUrgentPostback } from '../payments/postback-urgency.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { HttpError, tooManyRequests } from '../http/http-error.js';
import { limitBodies } from '../http/limits.js';
import { networkOf } from '../http/network.js';
import { PostbackCoalescer } from '../payments/postback-coalescer.js';
import { idPrefixes } from '../../domain/id-prefixes.js';
import { identifiersIn, longestPostback } from '../../domain/postback-identifiers.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The workflow that a postback is for, by its capability, and the content type as it was sent. */
    postback: { workflowId: string; contentType: string | null };
  }
}

/** POST /postbacks/{capability}: a hint that the next read is due now. Nothing in it is believed. */
export function postbackRoutes(app: GatewayApp, services: GatewayServices): void {
  const { deps, limits, metrics } = services;
  const postbacks = new PostbackCoalescer({
    signal: (workflowId, hint: PostbackReceived) => signalOwners(services, workflowId, hint),
    subjectOf,
    maxWaiting: limits.waitingPostbacks,
  });
  app.addHook('preClose', () => postbacks.flush());

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });

  app.decorateRequest('postback');
  const ofForger = app.createRateLimit({
    max: limits.addressRequestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => `forged by ${networkOf(ip)}`,
  });
  app.addHook<{ Params: { capability: string } }>('onRequest', async (request) => {
    const workflowId = workflowIdOfCapability(deps.postbackKeys, request.params.capability);
    if (workflowId === undefined) {
      metrics.postbacks.inc({ outcome: 'forged' });
      const bound = await ofForger(request);
      if (!bound.isAllowed && bound.isExceeded) throw tooManyRequests(bound.ttlInSeconds);
      throw new HttpError(404, 'not-found', 'Not found', 'There is nothing at this address.');
    }
    request.workflowId = workflowId;
    request.postback = { workflowId, contentType: contentTypeOf(request.headers['content-type']) };
    // Fastify would refuse what is no media type at all.
    request.headers['content-type'] = 'application/octet-stream';
  });
  limitBodies(app, limits.postbackBodiesAtOnce);

  app.post(
    '/postbacks/:capability',
    { config: { purpose: 'postback', rateLimit: false }, schema: { hide: true } },
    async (request) => {
      const { workflowId, contentType } = request.postback;
      const hint = {
        received_at: new Date().toISOString(),
        content_type: contentType,
        body: keptPart(request),
      };
      try {
        const outcome = await postbacks.offer(workflowId, hint, isUrgentPostback(workflowId, hint.body));
        metrics.postbacks.inc({ outcome });
        if (outcome === 'payment_closed') {
          // After the watch nobody follows a payment: what it tells of may be a charge that came late.
          request.log.warn(
            { workflow_id: workflowId },
            'A postback came for a payment that is closed or unknown: nobody reads what it tells of. Look the payment up at the service.',
          );
        }
        return { received: true };
      } catch (error) {
        if (error instanceof TemporalUnavailableError) metrics.postbacks.inc({ outcome: 'unavailable' });
        throw error;
      }
    },
  );
}

/** An order's postbacks are for its refund too: whichever of them is there is signalled. */
async function signalOwners(
  { deps, limits, metrics }: GatewayServices,
  workflowId: string,
  hint: PostbackReceived,
): Promise<'signalled' | 'payment_closed'> {
  metrics.signals.inc();
  const calls = { client: deps.client, callTimeoutMs: limits.temporalCallMs };
  const signal = (owner: string) =>
    unlessGone(async () => {
      await callTemporal(calls, () => deps.client.workflow.getHandle(owner).signal('postbackReceived', hint));
      return true;
    });
  const signalRefund = async () => {
    if (!workflowId.startsWith(idPrefixes.order)) return false;
    const order = await unlessGone(() => describeExecution(calls, workflowId));
    return order === false || order.serviceId === null ? false : signal(refundWorkflowId(order.serviceId));
  };
  const signalled = await Promise.all([signal(workflowId), signalRefund()]);
  return signalled.includes(true) ? 'signalled' : 'payment_closed';
}

async function unlessGone<Answer>(call: () => Promise<Answer>): Promise<Answer | false> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/**
 * The first 4 KiB for the operator, without anything that could be a card number. Some senders name the order that a
 * postback is about in the query alone.
 */
function keptPart({ body, postback, raw }: Pick<FastifyRequest, 'body' | 'postback' | 'raw'>): string {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : '';
  const [, query = ''] = (raw.url ?? '').split('?', 2);
  const isInQuery = postback.workflowId.startsWith(idPrefixes.order) && identifiersIn(query).length > 0;
  const kept = isInQuery ? `${query}\n${text}`.trim() : text;
  return beginningWithoutPans(kept, longestPostback);
}

function contentTypeOf(header: string | undefined): string | null {
  return header === undefined ? null : withoutLongDigits(header).slice(0, 128);
}

/**
 * An order whose identifier is not known reads each one that postbacks name. Only the postback has
 * the answer of an account validation.
 */
function subjectOf(workflowId: string, { body }: PostbackReceived): string {
  return workflowId.startsWith(idPrefixes.accountValidation) ? body : identifiersIn(body).sort().join(' ');
}
