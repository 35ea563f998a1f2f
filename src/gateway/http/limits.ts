import type { ServerOptions, ServerResponse } from 'node:http';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { LogController } from 'fastify';
import type { FastifyServerOptions } from 'fastify';
import type { GatewayApp } from '../app.js';
import type { GatewayLimits } from '../deps.js';
import { boundAnswers } from './answer-deadlines.js';
import { readChunksInTurns } from './chunks-in-turns.js';
import { awaitsBody } from './close-unread.js';
import { boundConnections } from './connections.js';
import { HttpError, invalidRequest, tooManyRequests } from './http-error.js';
import { countsFor, InFlight } from './in-flight.js';
import { networkOf } from './network.js';
import { shedLoad } from './shed-load.js';
import { boundSlowBodies } from './slow-bodies.js';
import { followWork } from './work.js';

/** Server options that bound connections, headers, bodies and times: Fastify leaves most of them open. */
export function serverLimits(limits: GatewayLimits): FastifyServerOptions & { http: ServerOptions } {
  return {
    bodyLimit: limits.bodyBytes,
    // Bodies have a time that follows their size.
    requestTimeout: 0,
    connectionTimeout: limits.idleMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: 1_000,
      // Less than one read of 64 KiB in chunks of a byte: what waits for the next turn stops the reading.
      highWaterMark: 8 * 1_024,
    },
    routerOptions: { maxParamLength: 512 },
    requestIdHeader: false,
    // Requests that still arrive on open connections while the server closes are answered.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
  };
}

/**
 * Limits connections and requests, sheds load early, and sets the security headers that browsers apply. After
 * `identifyCallers`: requests are counted by caller.
 */
export async function limitRequests(app: GatewayApp, limits: GatewayLimits): Promise<void> {
  boundConnections(app.server, limits.connections);
  boundAnswers(app, limits);
  boundSlowBodies(app, limits);
  followWork(app);
  readChunksInTurns(app);
  shedLoad(app, limits);
  await app.register(helmet);
  await app.register(rateLimit, {
    max: limits.requestsPerMinute,
    timeWindow: 60_000,
    cache: 10_000,
    enableDraftSpec: true,
    keyGenerator: countsFor,
  });
  limitAddresses(app, limits);
  refuseSecondHost(app);
  refuseUnknown(app);
  limitRequestsAtOnce(app, limits);
  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    response.writeHead(417, { connection: 'close' }).end();
  });
}

/** Bounds what one address sends, with whichever keys, and to addresses that do not exist, too. */
function limitAddresses(app: GatewayApp, limits: GatewayLimits): void {
  const ofAddress = app.createRateLimit({
    max: limits.addressRequestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => `everything of ${networkOf(ip)}`,
  });
  app.addHook('onRequest', async (request) => {
    // Probes, and postbacks, which prove themselves and are coalesced.
    if (request.routeOptions.config.rateLimit === false) return;
    const bound = await ofAddress(request);
    if (!bound.isAllowed && bound.isExceeded) throw tooManyRequests(bound.ttlInSeconds);
  });
}

/** Of two names Node knows the first, and what stands before the gateway may know the other (RFC 9112, 3.2). */
function refuseSecondHost(app: GatewayApp): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
    done(hosts.length > 1 ? invalidRequest([{ field: 'Host', message: 'must be there once' }]) : undefined);
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

/** Bounds what each caller has under way: from the headers of a request until its answer and its handler have ended. */
function limitRequestsAtOnce(app: GatewayApp, limits: GatewayLimits): void {
  const ofKeys = new InFlight(limits.requestsAtOnce);
  const ofStrangers = new InFlight(limits.requestsAtOnceWithoutKey);
  // Whatever else an address sends, its probes are answered.
  const probes = new InFlight(limits.requestsAtOnceWithoutKey);
  app.addHook('onRequest', (request, reply, done) => {
    const { rateLimit: limit, purpose } = request.routeOptions.config;
    const others = request.caller === null ? ofStrangers : ofKeys;
    const inFlight = limit === false ? probes : others;
    // Genuine postbacks are coalesced, so many may wait; others are refused at once.
    const isTooMany = purpose !== 'postback' && inFlight.take(request, reply) === null;
    done(isTooMany ? tooManyRequests(1) : undefined);
  });
}

/**
 * Bounds the bodies of each caller of which some is still to come: a request counts until its body is there, not while
 * it waits for its answer. After the hook that refuses strangers.
 */
export function limitBodies(app: GatewayApp, most: number): void {
  const inFlight = new InFlight(most);
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!awaitsBody(request.raw)) {
      done(null, payload);
      return;
    }
    const release = inFlight.take(request, reply);
    if (release !== null) request.raw.once('end', release);
    done(release === null ? tooManyRequests(1) : null, payload);
  });
}
