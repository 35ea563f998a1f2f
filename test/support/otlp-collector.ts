import { createServer } from 'node:http';
import protobuf from 'protobufjs';
import { z } from 'zod';
import { listening } from './listening.js';

/** A span as it was exported, its identifiers in hexadecimal. */
export type ReceivedSpan = z.infer<typeof span>;

/** A collector of OpenTelemetry on loopback, by OTLP over HTTP. */
export type OtlpCollector = {
  readonly url: string;
  /** All that was sent to it, headers and bodies. */
  readonly received: () => Buffer;
  readonly spans: () => readonly ReceivedSpan[];
  readonly resources: () => readonly Readonly<Record<string, unknown>>[];
  /** Resolves when these spans have come. */
  until(enough: (spans: readonly ReceivedSpan[]) => boolean): Promise<void>;
  close(): Promise<void>;
};

/** The part of opentelemetry/proto/collector/trace/v1 that tests read. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    string trace_state = 3;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    repeated KeyValue attributes = 9;
    repeated Event events = 11;
    Status status = 15;
  }
  message Event { string name = 2; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; Value value = 2; }
  message Value { oneof value { string string_value = 1; bool bool_value = 2; int32 int_value = 3; } }
`);

const hex = z.base64().transform((text) => Buffer.from(text, 'base64').toString('hex'));
const attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((entries) =>
    Object.fromEntries(entries.map(({ key, value }) => [key, Object.values(value)[0]] as const)),
  );
const span = z.object({
  ...{ name: z.string(), traceId: hex, spanId: hex, parentSpanId: hex.optional() },
  traceState: z.string().optional(),
  attributes,
  events: z.array(z.object({ name: z.string() })).default([]),
  status: z.object({ message: z.string().optional(), code: z.int().optional() }).default({}),
});
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const raw: Buffer[] = [];
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const listeners = new Set<() => void>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      raw.push(Buffer.from(incoming.rawHeaders.join('\n')), body);
      const type = root.lookupType('Request');
      const { resourceSpans } = request.parse(type.toObject(type.decode(body), { bytes: String }));
      for (const { resource, scopeSpans } of resourceSpans) {
        resources.push(resource.attributes);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      for (const listener of listeners) listener();
    });
  });
  const { url } = await listening(server);
  return {
    url,
    received: () => Buffer.concat(raw),
    spans: () => spans,
    resources: () => resources,
    until: (enough) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!enough(spans)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
