import { z } from 'zod';

const variables = z.object({
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().optional(),
});

const protocol = 'http/protobuf';

/**
 * Whether OpenTelemetry's own variables ask for traces: a collector is named, or its exporter. They are its standard,
 * not ours; its SDK reads the rest of them itself.
 */
export const tracesWanted = variables.transform((values, context): boolean => {
  if (values.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = values.OTEL_TRACES_EXPORTER;
  if (exporter === 'none') return false;
  const endpoint = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (exporter === undefined && endpoint === undefined) return false;
  const refuse = (message: string) => context.addIssue({ code: 'custom', message });
  if (exporter !== undefined && exporter !== 'otlp')
    refuse('OTEL_TRACES_EXPORTER is neither otlp nor none: there is no other exporter here.');
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:/.test(endpoint)))
    refuse('The OTLP endpoint in OTEL_… is not an address. Write it like http://127.0.0.1:4318.');
  const spoken = values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? values.OTEL_EXPORTER_OTLP_PROTOCOL ?? protocol;
  if (spoken !== protocol)
    refuse(
      `The OTLP protocol in OTEL_… is not ${protocol}, the only one here. A collector takes it at port 4318.`,
    );
  return true;
});
