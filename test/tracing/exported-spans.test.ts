import { ROOT_CONTEXT, SpanStatusCode, propagation, trace, createTraceState } from '@opentelemetry/api';
import type { Span } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { exportingKnown } from '../../src/tracing/exported-spans.js';
import { traceparentAlone } from '../../src/tracing/traceparent.js';

const secret = 'a-card-4111111111111111';

/** What is exported of one span. */
function exported(name: string, fill: (span: Span) => void) {
  const memory = new InMemorySpanExporter();
  const processor = new SimpleSpanProcessor(exportingKnown(memory, () => undefined));
  const tracer = new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('test');
  const parent = trace.setSpanContext(ROOT_CONTEXT, {
    ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 },
    traceState: createTraceState(`shop=${secret}`),
  });
  const span = tracer.startSpan(name, {}, parent);
  fill(span);
  span.end();
  const [sent] = memory.getFinishedSpans();
  if (sent === undefined) throw new Error('Nothing was exported.');
  return sent;
}

test('of a span only what is on the list leaves: no words of an error, no link, no unknown attribute, no tracestate', () => {
  const sent = exported('POST /v1/order', (span) => {
    span.setAttributes({ 'http.route': '/v1/order', 'http.request.body': secret, 'url.full': secret });
    span.recordException(new Error(secret));
    span.addEvent(secret, { secret });
    span.addLink({ context: span.spanContext(), attributes: { secret } });
    span.setStatus({ code: SpanStatusCode.ERROR, message: secret });
  });
  expect(sent.attributes).toEqual({ 'http.route': '/v1/order' });
  expect(sent.status).toEqual({ code: SpanStatusCode.ERROR });
  expect([sent.events, sent.links]).toEqual([[], []]);
  expect(sent.spanContext().traceState).toBeUndefined();
  expect(sent.parentSpanContext?.traceState).toBeUndefined();
});

test('the id of a workflow leaves unless the command failed: then there may be none, and the id is what somebody wrote', () => {
  const withId = (name: string, code: SpanStatusCode) =>
    exported(name, (span) => span.setAttribute('temporalWorkflowId', secret).setStatus({ code })).attributes;
  const id = { temporalWorkflowId: secret };
  expect(withId('WorkflowStartUpdate:abandonPayout', SpanStatusCode.OK)).toEqual(id);
  expect(withId('WorkflowStartUpdate:abandonPayout', SpanStatusCode.ERROR)).toEqual({});
  expect(withId('RunActivity:readPayout', SpanStatusCode.ERROR)).toEqual(id);
});

test('of a caller nothing but the traceparent is taken', () => {
  propagation.setGlobalPropagator(traceparentAlone());
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const context = propagation.extract(ROOT_CONTEXT, {
    ...{ traceparent, tracestate: `shop=${secret}`, baggage: `card=${secret}` },
  });
  expect(trace.getSpanContext(context)).toMatchObject({ traceId: 'a'.repeat(32) });
  const carried: Record<string, string> = {};
  propagation.inject(context, carried);
  expect(carried).toEqual({ traceparent });
});

test('a collector that takes no spans is reported once, and once more when it takes them again', () => {
  const states: string[] = [];
  let code = ExportResultCode.FAILED;
  const exporter = exportingKnown(
    {
      export: (_spans, done) => {
        done({ code });
      },
      shutdown: () => Promise.resolve(),
    },
    (state) => states.push(state),
  );
  const send = () => {
    exporter.export([], () => undefined);
  };
  send();
  send();
  code = ExportResultCode.SUCCESS;
  send();
  send();
  expect(states).toEqual(['lost', 'exported']);
});
