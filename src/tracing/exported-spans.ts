import { SpanStatusCode } from '@opentelemetry/api';
import type { Attributes, SpanContext } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** The workflow, by the name that Temporal's interceptors give it. */
export const workflowIdAttribute = 'temporalWorkflowId';
export const outcomeAttribute = 'durable_payments.outcome';

/** All that leaves in a span besides its name, times and identifiers. None of it can hold anything of a payment but its code. */
const exported = new Set([
  ...['http.request.method', 'http.route', 'http.response.status_code', 'url.template'],
  ...[workflowIdAttribute, 'run_id', 'temporalActivityId', outcomeAttribute],
]);

/** Reports when spans begin to be lost, and when they no longer are. */
export type OnExport = (state: 'lost' | 'exported') => void;

/**
 * Sends spans reduced to what is known to hold nothing of a card, a customer or a payee. Words of errors go: they may
 * quote what they speak of.
 */
export function exportingKnown(exporter: SpanExporter, onChange: OnExport): SpanExporter {
  let state: 'lost' | 'exported' = 'exported';
  return {
    export: (spans, done) => {
      exporter.export(spans.map(reduced), (result) => {
        const now = result.code === ExportResultCode.SUCCESS ? 'exported' : 'lost';
        if (now !== state) onChange(now);
        state = now;
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}

function reduced(span: ReadableSpan): ReadableSpan {
  const { name, kind, startTime, endTime, duration, ended, resource, instrumentationScope } = span;
  const context = withoutState(span.spanContext());
  const parent = span.parentSpanContext;
  return {
    ...{ name, kind, startTime, endTime, duration, ended, resource, instrumentationScope },
    ...(parent === undefined ? {} : { parentSpanContext: withoutState(parent) }),
    spanContext: () => context,
    status: { code: span.status.code },
    attributes: attributesOf(span),
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** `tracestate` holds whatever a caller has written into it. */
function withoutState({ traceId, spanId, traceFlags }: SpanContext): SpanContext {
  return { traceId, spanId, traceFlags };
}

function attributesOf({ name, status, attributes }: ReadableSpan): Attributes {
  // A command that failed may have been for a workflow that does not exist: its id is whatever a caller wrote.
  const exists = status.code !== SpanStatusCode.ERROR || name.startsWith('RunActivity:');
  return Object.fromEntries(
    Object.entries(attributes).filter(
      ([key]) => exported.has(key) && (exists || key !== workflowIdAttribute),
    ),
  );
}
