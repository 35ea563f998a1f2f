import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, propagation, trace } from '@opentelemetry/api';
import type { Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js';
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry/lib/worker/index.js';
import { observedService } from '../payments-service/observed-service.js';
import type { PaymentsService } from '../payments-service/payments-service.js';
import { exportingKnown, outcomeAttribute, workflowIdAttribute } from './exported-spans.js';
import type { OnExport } from './exported-spans.js';
import { traceparentAlone } from './traceparent.js';
import type { TraceRequest, Tracing } from './tracing.js';

/** A collector that is away must not hold up a process that stops. */
const lastSpansMs = 3_000;

/**
 * Traces by OpenTelemetry's SDK. It reads the rest of its OTEL_ variables itself, from the environment of the process:
 * sampler, limits, batches, and how the collector is reached. Once a process.
 */
export function openTelemetry(service: { name: string; version: string }, onExport: OnExport): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': service.name,
      'service.version': service.version,
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exportingKnown(new OTLPTraceExporter(), onExport))],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(traceparentAlone());
  const tracer = provider.getTracer('durable-payments', service.version);
  return {
    request: tracedRequest(tracer),
    clientInterceptors: [tracedClient(tracer)],
    activityInterceptors: [
      (activity) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(activity, { tracer }) }),
    ],
    service: (payments) => tracedService(payments, tracer),
    stop: async () => {
      const late = AbortSignal.timeout(lastSpansMs);
      const given = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()));
      await Promise.race([provider.shutdown().catch(() => undefined), given]);
    },
  };
}

function tracedRequest(tracer: Tracer): TraceRequest {
  return ({ method, route, traceparent }) => {
    const parent = propagation.extract(ROOT_CONTEXT, { traceparent });
    const attributes = { 'http.request.method': method, 'http.route': route };
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    return {
      run: (rest) => context.with(trace.setSpan(parent, span), rest),
      end: ({ status, workflowId }) => {
        span.setAttribute('http.response.status_code', status);
        if (workflowId !== undefined) span.setAttribute(workflowIdAttribute, workflowId);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
}

/** What carries a trace on. Queries and descriptions are not traced: health checks make them all the time. */
function tracedClient(tracer: Tracer): WorkflowClientInterceptor {
  const all = new OpenTelemetryWorkflowClientInterceptor({ tracer });
  return {
    start: (input, next) => all.start(input, next),
    startWithDetails: (input, next) => all.startWithDetails(input, next),
    signal: (input, next) => all.signal(input, next),
    signalWithStart: (input, next) => all.signalWithStart(input, next),
    startUpdate: (input, next) => all.startUpdate(input, next),
    startUpdateWithStart: (input, next) => all.startUpdateWithStart(input, next),
  };
}

/** The service itself gets no `traceparent`: its interface knows none. */
function tracedService(service: PaymentsService, tracer: Tracer): PaymentsService {
  return observedService(service, (endpoint, call) => {
    const [method = '', template = ''] = endpoint.split(' ');
    const attributes = { 'http.request.method': method, 'url.template': template };
    return tracer.startActiveSpan(endpoint, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        const result = await call();
        span.setAttribute(outcomeAttribute, result.outcome);
        if (result.outcome !== 'answered') span.setStatus({ code: SpanStatusCode.ERROR });
        return result;
      } finally {
        span.end();
      }
    });
  });
}
