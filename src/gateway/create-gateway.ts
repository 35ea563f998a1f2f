import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { createPaymentsClient } from '../client.js';
import type { GatewayApp, GatewayServices } from './app.js';
import { createAuditLog } from '../audit/audit-log.js';
import { AtOnce } from './http/at-once.js';
import { auditAll } from './http/audit-all.js';
import { closeUnread } from './http/close-unread.js';
import { CostlyReads } from './http/costly-reads.js';
import { gatewayLimits } from './deps.js';
import type { GatewayDeps } from './deps.js';
import { identifyCallers, requireCaller } from './http/auth.js';
import { limitBodies, limitRequests, serverLimits } from './http/limits.js';
import { HttpError } from './http/http-error.js';
import { readJson } from './http/json-body.js';
import { refuseOtherMethods } from './http/method-not-allowed.js';
import { createMetrics } from './http/metrics.js';
import { observeRequests } from './http/observe-requests.js';
import { routeNames } from './http/route-names.js';
import { traceRequests } from './http/trace-requests.js';
import { answerError, answerUnreadable } from './http/problem-answers.js';
import { OpenApiDocument } from './openapi/document.js';
import { accountValidationRoutes } from './routes/account-validations.js';
import { bulkRetryRoutes } from './routes/bulk-retries.js';
import { cardOrderRoutes } from './routes/card-orders.js';
import { cardRoutes } from './routes/cards.js';
import { checkoutOrderRoutes } from './routes/checkout-orders.js';
import { changesRoutes } from './routes/changes.js';
import { codecRoutes } from './routes/codec.js';
import { docsRoutes } from './routes/docs.js';
import { healthRoutes } from './routes/health.js';
import { orderCommandRoutes, orderReadRoutes } from './routes/orders.js';
import { payoutBatchRoutes } from './routes/payout-batches.js';
import { payoutCommandRoutes } from './routes/payout-commands.js';
import { payoutReadRoutes, payoutStartRoutes } from './routes/payouts.js';
import { postbackRoutes } from './routes/postbacks.js';
import { refundRoutes } from './routes/refunds.js';
import { schemaRoutes } from './routes/schemas.js';
import { threeDSecureRoutes } from './routes/three-d-secure.js';
import { webhookRoutes } from './routes/webhooks.js';
import { readBy } from './http/read-by.js';
import { SharedWaits } from './payments/shared-waits.js';

type Routes = (app: GatewayApp, services: GatewayServices) => void;

const v1: readonly Routes[] = [
  cardRoutes,
  cardOrderRoutes,
  checkoutOrderRoutes,
  orderReadRoutes,
  orderCommandRoutes,
  threeDSecureRoutes,
  refundRoutes,
  payoutStartRoutes,
  payoutReadRoutes,
  payoutCommandRoutes,
  payoutBatchRoutes,
  bulkRetryRoutes,
  accountValidationRoutes,
  changesRoutes,
  webhookRoutes,
];

/**
 * The HTTP API of the payments: starts, reads and commands for the OMS, postbacks of the service, the codec for the
 * Web UI. Does not listen; `listen` and `close` it. Closing answers whoever waits and sends the hints at hand.
 */
export function createGateway(deps: GatewayDeps): FastifyInstance {
  const limits = { ...gatewayLimits, ...deps.limits };
  const waits = new AtOnce(limits.waitsAtOnce);
  const services: GatewayServices = {
    deps,
    limits,
    now: deps.now ?? Date.now,
    payments: createPaymentsClient({
      notifyTargets: [],
      ...deps,
      callTimeoutMs: limits.temporalCallMs,
      cursorKeys: deps.postbackKeys,
    }),
    payoutWaits: new SharedWaits(waits),
    orderWaits: new SharedWaits(waits),
    refundWaits: new SharedWaits(waits),
    validationWaits: new SharedWaits(waits),
    costlyReads: new CostlyReads(limits.costlyReadsAtOnce),
    batchReads: new CostlyReads(limits.batchReadsAtOnce),
    metrics: createMetrics(deps.metrics, () => deps.cardStore.held),
  };
  const app = Fastify({
    ...serverLimits(limits),
    loggerInstance: deps.logger,
    clientErrorHandler: answerUnreadable,
    // Before any hook: nobody is going to wait for the rest of such a request.
    frameworkErrors: (error, request, reply) => {
      void answerError(error, request, reply.header('connection', 'close'));
    },
  }).withTypeProvider<ZodTypeProvider>();

  speakZod(app);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) =>
    answerError(
      new HttpError(404, 'not-found', 'Not found', 'There is nothing at this address.'),
      request,
      reply,
    ),
  );
  const routeOf = routeNames(deps.codec?.path);
  observeRequests(app, services.metrics, routeOf);
  if (deps.traceRequest !== undefined) traceRequests(app, deps.traceRequest, routeOf);
  closeUnread(app);
  leaveGracefully(app, services);
  void app.register(sharing((root: GatewayApp) => registerAll(root, services)));
  return app;
}

/** Its hooks are those of the whole server, so that they see requests to addresses that do not exist, too. */
function sharing<Plugin extends object>(plugin: Plugin): Plugin {
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}

async function registerAll(app: GatewayApp, services: GatewayServices): Promise<void> {
  const { codec } = services.deps;
  // What is answered is of one caller alone.
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('cache-control', 'no-store');
    done();
  });
  identifyCallers(app, services.deps.apiKeys, services.deps.audit ?? createAuditLog());
  await limitRequests(app, services.limits);
  const refuseOthers = refuseOtherMethods(app);
  const document = new OpenApiDocument();
  await docsRoutes(app, document);
  await app.register(plugin(healthRoutes, services));
  await app.register(plugin(schemaRoutes, services));
  await app.register(plugin(postbackRoutes, services));
  if (codec !== undefined) {
    await app.register((scope: GatewayApp) => codecRoutes(scope, codec), { prefix: codec.path });
  }
  await app.register(
    async (scope: GatewayApp) => {
      auditAll(scope);
      requireCaller(scope);
      limitBodies(scope, services.limits.bodiesAtOnce);
      document.describe(scope);
      for (const routes of v1) await scope.register(plugin(routes, services));
    },
    { prefix: '/v1' },
  );
  refuseOthers();
}

/** On closing, whoever waits is answered at once, and no answer keeps its connection open. */
function leaveGracefully(app: GatewayApp, services: GatewayServices): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    const { payoutWaits, orderWaits, refundWaits, validationWaits } = services;
    for (const waits of [payoutWaits, orderWaits, refundWaits, validationWaits]) waits.close();
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done();
  });
}

/** Each set of routes in a scope of its own, so that its hooks and parsers stay there. */
function plugin(routes: Routes, services: GatewayServices) {
  return (scope: GatewayApp, _options: object, done: () => void): void => {
    routes(scope, services);
    done();
  };
}

/** Requests are read by zod; answers are what our own code made, so they are written without a second check. */
function speakZod(app: GatewayApp): void {
  app.setValidatorCompiler(({ schema }) => {
    if (!(schema instanceof z.ZodType)) throw new Error('a route has a schema that is not of zod');
    return readBy(schema);
  });
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  app.removeContentTypeParser('text/plain');
  readJson(app);
}
