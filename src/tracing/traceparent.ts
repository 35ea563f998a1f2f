import { defaultTextMapGetter } from '@opentelemetry/api';
import type { TextMapPropagator } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

const field = 'traceparent';

/** The W3C trace context without `tracestate` and baggage: these hold whatever a caller has written into them. */
export function traceparentAlone(): TextMapPropagator {
  const w3c = new W3CTraceContextPropagator();
  return {
    inject: (context, carrier, setter) => w3c.inject(context, carrier, setter),
    extract: (context, carrier, getter) =>
      w3c.extract(context, { [field]: getter.get(carrier, field) }, defaultTextMapGetter),
    fields: () => [field],
  };
}
