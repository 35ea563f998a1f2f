import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { faultsOf, gateway, worker } from './support.js';

const endpoint = 'http://127.0.0.1:4318';

describe("OpenTelemetry's own variables", () => {
  test.for<[boolean, Record<string, string>]>([
    [false, {}],
    [false, { OTEL_SERVICE_NAME: 'payments', OTEL_TRACES_SAMPLER: 'always_on' }],
    [true, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }],
    [true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/v1/traces` }],
    [true, { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }],
    [false, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' }],
    [false, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ])('traces: %s by %o', ([traces, variables]) => {
    expect(loadConfig({ ...worker, ...variables }, 'worker').traces).toBe(traces);
    expect(loadConfig({ ...gateway, ...variables }, 'gateway').traces).toBe(traces);
    expect(loadConfig(variables, 'start').traces).toBe(traces);
  });

  test('what can not be done is refused, all of it at once', () => {
    const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    expect(faultsOf({ ...worker, ...otlp, OTEL_TRACES_EXPORTER: 'zipkin' }, 'worker')).toEqual([
      'OTEL_TRACES_EXPORTER is neither otlp nor none: there is no other exporter here.',
      'The OTLP endpoint in OTEL_… is not an address. Write it like http://127.0.0.1:4318.',
      'The OTLP protocol in OTEL_… is not http/protobuf, the only one here. A collector takes it at port 4318.',
    ]);
  });
});
