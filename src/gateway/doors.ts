import type { ServerOptions } from 'node:http';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import { LogController } from 'fastify';
import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import { ApiKeys } from './api-keys.js';
import type { Scope } from './api-keys.js';
import type { GatewayApp } from './app.js';
import { createAuditLog } from './audit.js';
import type { AuditLog } from './audit.js';
import { boundConnections } from './connections.js';
import type { GatewayDeps, GatewayLimits } from './deps.js';
import { HttpError, tooManyRequests } from './http-error.js';

/** Bounds of connections, headers, bodies and times: Fastify's own leave most of them open. */
export function boundedServer(limits: GatewayLimits): FastifyServerOptions & { http: ServerOptions } {
  return {
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.idleMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: 1_000,
    },
    routerOptions: { maxParamLength: 512 },
    requestIdHeader: false,
    // While it closes it answers what still comes on open connections.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
  };
}

/** Tells callers by their keys, then limits them; sheds load early; sets the headers that browsers heed. */
export async function guard(app: GatewayApp, deps: GatewayDeps, limits: GatewayLimits): Promise<void> {
  boundConnections(app.server, limits.connections);
  identify(app, new ApiKeys(deps.apiKeys), deps.audit ?? createAuditLog());
  await app.register(underPressure, { maxEventLoopDelay: limits.eventLoopDelayMs, retryAfter: 5 });
  await app.register(helmet);
  await app.register(rateLimit, {
    max: limits.requestsPerMinute,
    timeWindow: 60_000,
    cache: 10_000,
    keyGenerator: ({ caller, ip }) => (caller === null ? `address ${ip}` : `key ${caller.name}`),
  });
  limitAddresses(app, limits);
  refuseUnknown(app);
}

/** Tells who sends a request, and lets it write to the audit stream. */
function identify(app: GatewayApp, apiKeys: ApiKeys, audit: AuditLog): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('workflowId', null);
  app.decorateRequest('audit', function (this: FastifyRequest, entry) {
    audit({ key: this.caller?.name ?? null, address: this.ip, ...entry });
  });
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = apiKeys.callerOf(request.headers.authorization) ?? null;
    done();
  });
}

/** Bounds what one address sends, with whichever keys, and to addresses that do not exist, too. */
function limitAddresses(app: GatewayApp, limits: GatewayLimits): void {
  const ofAddress = app.createRateLimit({
    max: limits.addressRequestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => `everything of ${ip}`,
  });
  app.addHook('onRequest', async (request) => {
    // Probes, and postbacks, which prove themselves and are coalesced.
    if (request.routeOptions.config.rateLimit === false) return;
    const bound = await ofAddress(request);
    if (!bound.isAllowed && bound.isExceeded) throw tooManyRequests(bound.ttlInSeconds);
  });
}

/** Before a byte of a body is waited for. */
function refuseUnknown(app: GatewayApp): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404)
      done(new HttpError(404, 'not-found', 'Not found', 'There is nothing at this address.'));
    else done();
  });
}

/** What has to do with payments is not for keys that only decode. */
const anyPaymentScope: readonly Scope[] = ['oms', 'operator'];

/** Lets only known callers in, before anything of the body is read. After the rate limit, so that guessing is slow. */
export function requireCaller(app: GatewayApp): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { caller } = request;
    const { scopes = anyPaymentScope } = request.routeOptions.config;
    const command = `${request.method} ${request.routeOptions.url ?? ''}`;
    if (caller === null) {
      request.audit({ command, outcome: 'unauthorized' });
      const detail = 'Send Authorization: Bearer <key> with a key of API_KEYS. Nothing was done.';
      done(new HttpError(401, 'unauthorized', 'Unauthorized', detail));
    } else if (!scopes.some((scope) => caller.scopes.includes(scope))) {
      request.audit({ command, outcome: 'forbidden' });
      const detail = `This takes a key with the scope ${scopes.join(' or ')}. Nothing was done.`;
      done(new HttpError(403, 'forbidden', 'Forbidden', detail));
    } else {
      done(null, payload);
    }
  });
}
