import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
} from 'fastify';
import { controlOf, type Control } from './control.js';
import { serveCheckout } from './routes-checkout.js';
import { serve } from './endpoint.js';
import type { Progress } from './lives.js';
import { threeDSecureEndpoints } from './routes-3ds.js';
import { authEndpoints } from './routes-auth.js';
import { serveControl } from './routes-control.js';
import { orderEndpoints } from './routes-orders.js';
import { payoutEndpoints } from './routes-payouts.js';
import { validationEndpoints } from './routes-validations.js';
import { Service } from './service.js';
import { restore, type Snapshot } from './snapshot.js';
import { ServiceError } from './service-error.js';

export type SandboxOptions = {
  readonly host?: string;
  /** By which it is called, besides localhost and its addresses. */
  readonly names?: readonly string[];
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Token lifetime, default 30. Fractions are allowed, but `expire_minutes` is meant to be an integer. */
  readonly tokenMinutes?: number;
  /** Multiplies every delay of the sandbox, default 1; the token's life is not scaled. */
  readonly timeScale?: number;
  /** `manual`: payments change only by control calls. Default `automatic`. */
  readonly progress?: Progress;
  /** The time that records carry, in milliseconds since the epoch; default Date.now. Delays take real time. */
  readonly now?: () => number;
  readonly logger?: FastifyBaseLogger;
  /** What a previous sandbox knew. */
  readonly restored?: Snapshot;
  /** Called soon after anything has changed. */
  readonly onChange?: () => void;
};

export type Sandbox = Control & {
  readonly url: string;
  /** Ends all timers, postbacks and sockets. */
  readonly close: () => Promise<void>;
};

/** The payments service as its document describes it, in memory, for tests, demos and by itself. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, clientId, clientSecret } = options;
  const { tokenMinutes = 30, timeScale = 1, progress = 'automatic' } = options;
  const service = new Service({
    clientId,
    clientSecret,
    tokenMinutes,
    timeScale,
    progress,
    now: options.now,
  });
  if (options.onChange !== undefined) service.onChange = options.onChange;
  if (options.restored !== undefined) restore(service, options.restored);
  const control = controlOf(service);
  const app = bare(options);
  const endpoints = [
    authEndpoints,
    orderEndpoints,
    threeDSecureEndpoints,
    payoutEndpoints,
    validationEndpoints,
  ].flatMap((endpointsOf) => endpointsOf(service));
  for (const endpoint of endpoints) serve(app, service, endpoint);
  serveControl(app, service, control);
  app.register((scope) => serveCheckout(scope, service, control));
  app.server.maxConnections = mostConnections;
  const url = await app.listen({ host, port });
  return {
    ...control,
    url,
    close: async () => {
      await service.close();
      await app.close();
    },
  };
}

/** More than all workers of a test have. */
const mostConnections = 2_000;

function bare({ logger, names = [] }: Pick<SandboxOptions, 'logger' | 'names'>): FastifyInstance {
  const app: FastifyInstance = Fastify({
    forceCloseConnections: true,
    // A line a request, below: they are many, and no news to who looks after payments.
    logController: new LogController({ disableRequestLogging: true }),
    ...(logger === undefined ? {} : { loggerInstance: logger }),
  });
  readJson(app);
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    request.log.debug({ method, route: routeOptions.url, status: reply.statusCode }, 'request');
    done();
  });
  refuseForeignPages(app, names);
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(new ServiceError(404, 'not_found', 'There is no such path.').body),
  );
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = asServiceError(error);
    if (refusal.status >= 500) request.log.error(error);
    return reply.code(refusal.status).send(refusal.body);
  });
  return app;
}

/** A number can't be made to lead here, as a name can. */
const numeric = /^(\d+(\.\d+){3}|\[[\da-f:.]+\])$/i;

/** No web page elsewhere reads or controls a sandbox, not even one whose own name was made to lead here. */
function refuseForeignPages(app: FastifyInstance, names: readonly string[]): void {
  const own = new Set(['localhost', ...names].map((name) => name.toLowerCase()));
  app.addHook('onRequest', ({ headers: { host = '', origin } }, _reply, done) => {
    const name = host.replace(/:\d+$/, '').toLowerCase();
    const isOwn =
      (own.has(name) || numeric.test(name)) && (origin === undefined || origin === `http://${host}`);
    done(isOwn ? undefined : new ServiceError(403, 'foreign_page', 'The sandbox answers to no web page.'));
  });
}

/** Our own reader: no body is right for a PUT without one, and no message repeats what was sent, it may be a card. */
function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? undefined : JSON.parse(text.toString()));
    } catch {
      done(new ServiceError(400, 'not_json', 'The body is not JSON.'));
    }
  });
}

function asServiceError(error: FastifyError | ServiceError): ServiceError {
  if (error instanceof ServiceError) return error;
  const status = error.statusCode ?? 500;
  if (status < 500) return new ServiceError(status, 'bad_request', 'The request cannot be read.');
  return new ServiceError(500, 'internal', 'The sandbox has failed; this is a bug of the sandbox.');
}
