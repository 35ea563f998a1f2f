import type { ServerOptions } from 'node:http';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import { LogController } from 'fastify';
import type { FastifyServerOptions } from 'fastify';
import { ApiKeys } from './api-keys.js';
import type { GatewayApp } from '../app.js';
import { boundConnections } from './connections.js';
import type { GatewayDeps, GatewayLimits } from '../deps.js';
import { HttpError } from './http-error.js';

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
  const apiKeys = new ApiKeys(deps.apiKeys);
  boundConnections(app.server, limits.connections);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = apiKeys.callerOf(request.headers.authorization) ?? null;
    done();
  });
  await app.register(underPressure, { maxEventLoopDelay: limits.eventLoopDelayMs, retryAfter: 5 });
  await app.register(helmet);
  await app.register(rateLimit, {
    max: limits.requestsPerMinute,
    timeWindow: 60_000,
    cache: 10_000,
    keyGenerator: ({ caller, ip }) => (caller === null ? `address ${ip}` : `key ${caller.name}`),
  });
}

/** Lets only known callers in, before anything of the body is read. After the rate limit, so that guessing is slow. */
export function requireCaller(app: GatewayApp): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { caller } = request;
    const { scopes } = request.routeOptions.config;
    if (caller === null) {
      const detail = 'Send Authorization: Bearer <key> with a key of API_KEYS. Nothing was done.';
      done(new HttpError(401, 'unauthorized', 'Unauthorized', detail));
    } else if (scopes !== undefined && !scopes.some((scope) => caller.scopes.includes(scope))) {
      const detail = `This takes a key with the scope ${scopes.join(' or ')}. Nothing was done.`;
      done(new HttpError(403, 'forbidden', 'Forbidden', detail));
    } else {
      done(null, payload);
    }
  });
}
