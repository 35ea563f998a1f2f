import type { TraceRequest } from '../../tracing/tracing.js';
import type { GatewayApp } from '../app.js';
import { knownWorkflowId } from './known-workflow-id.js';

/**
 * A span for each request that showed a key, by its route, never by its address. Others get none: a flood of forged
 * postbacks must not become one of spans, and no stranger's `traceparent` is taken.
 */
export function traceRequests(
  app: GatewayApp,
  traceRequest: TraceRequest,
  routeOf: (url: string | undefined) => string,
): void {
  // The first hook after the body: a context that began before it would be lost while it arrives.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.caller === null) {
      done();
      return;
    }
    const { traceparent } = request.headers;
    request.span = traceRequest({
      method: request.method,
      route: routeOf(request.routeOptions.url),
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    request.span.run(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.span?.end({ status: reply.statusCode, workflowId: knownWorkflowId(request, reply.statusCode) });
    done();
  });
}
