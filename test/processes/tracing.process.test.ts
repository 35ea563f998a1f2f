import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../docs/markdown.js';
import { startOtlpCollector } from '../support/otlp-collector.js';
import type { ReceivedSpan } from '../support/otlp-collector.js';
import { deploy } from './support/deployment.js';
import { pixPayout } from './support/oms.js';

test('a payout is one trace: the request of its caller, the start, the activities, the calls of the service', async ({
  onTestFinished,
}) => {
  const collector = await startOtlpCollector();
  onTestFinished(() => collector.close());
  const deployment = await deploy({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'payments-of-a-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  onTestFinished(() => deployment.close());
  await Promise.all([deployment.worker(), deployment.gateway()]);
  const traceId = randomBytes(16).toString('hex');
  const callerSpan = randomBytes(8).toString('hex');
  const headers = {
    traceparent: `00-${traceId}-${callerSpan}-01`,
    tracestate: 'shop=a-secret-of-the-caller',
    baggage: 'card=a-secret-of-the-caller',
  };
  await deployment.oms.post('/v1/payouts/pix', pixPayout('traced'), headers);
  await deployment.oms.until('/v1/payouts/traced', 'done');
  const ofTrace = (spans: readonly ReceivedSpan[]) => spans.filter((span) => span.traceId === traceId);
  // Gateway and worker export each for itself.
  const wanted = ['POST /v1/payouts/pix', 'StartWorkflow:payout', 'RunActivity:createPixPayout'];
  wanted.push('POST /v1/payout/pix', 'GET /v1/payout/{id}');
  await collector.until((spans) => {
    const names = ofTrace(spans).map(({ name }) => name);
    return wanted.every((name) => names.includes(name));
  });

  const spans = ofTrace(collector.spans());
  const named = (name: string) => {
    const found = spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`${name} is not among ${spans.map((s) => s.name).join()}`);
    return found;
  };
  const request = named('POST /v1/payouts/pix');
  const start = named('StartWorkflow:payout');
  const activity = named('RunActivity:createPixPayout');
  const call = named('POST /v1/payout/pix');
  const followed = [request, start, activity, call];
  expect(followed.map(({ parentSpanId }) => parentSpanId)).toEqual([
    ...[callerSpan, request.spanId, start.spanId, activity.spanId],
  ]);
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/v1/payouts/pix',
    'http.response.status_code': 202,
    temporalWorkflowId: 'payout-traced',
  });
  expect(activity.attributes).toMatchObject({ temporalWorkflowId: 'payout-traced' });
  expect(call.attributes).toEqual({
    'http.request.method': 'POST',
    'url.template': '/v1/payout/pix',
    'durable_payments.outcome': 'answered',
  });
  expect(collector.resources()[0]).toMatchObject({
    'service.name': 'payments-of-a-test',
    'deployment.environment.name': 'test',
  });
  expect(collector.received().includes('a-secret-of-the-caller')).toBe(false);
});

test.for([
  { traces: false, loaded: false },
  { traces: true, loaded: true },
])('with traces wanted: $traces, the SDK of OpenTelemetry is loaded: $loaded', async ({ traces, loaded }) => {
  const script = `
    import { createRequire } from 'node:module';
    const { startTracing } = await import('./dist/src/processes/start-tracing.js');
    await startTracing(${String(traces)}, console);
    const files = Object.keys(createRequire(import.meta.url).cache);
    console.log(files.some((file) => file.includes('@opentelemetry/sdk-trace')));
    process.exit();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
  });
  expect(stdout.trim()).toBe(String(loaded));
});
