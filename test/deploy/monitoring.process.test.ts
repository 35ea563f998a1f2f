import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { healthChecks } from '../../src/health/problem.js';
import { fleetMetrics } from '../../src/health/fleet-metrics.js';
import { createMetrics } from '../../src/gateway/http/metrics.js';
import { outputMetrics } from '../../src/metrics/output-metrics.js';
import { measuredService } from '../../src/metrics/measured-service.js';
import { createRegistry } from '../../src/metrics/registry.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { anchors, section, tableRows, textOf } from '../docs/markdown.js';
import { hasPromtool, promtool } from '../support/promtool.js';
import { whereThereIs } from '../support/tools.js';

const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({ alert: z.string(), expr: z.string(), annotations: z.object({ runbook_url: z.string() }) }),
      ),
    }),
  ),
});
const alerts = rules
  .parse(parse(textOf('deploy/prometheus/alerts.yml')))
  .groups.flatMap((group) => group.rules);

/** The names of all metrics of ours. */
async function ourMetrics(): Promise<string[]> {
  const registry = createRegistry();
  createMetrics(registry, () => 0);
  fleetMetrics(registry);
  outputMetrics(registry, () => 0);
  await measuredService(
    createPaymentsService({ baseUrl: 'http://127.0.0.1:1', clientId: 'x', clientSecret: 'x' }),
    registry,
  ).close();
  const metrics = await registry.getMetricsAsJSON();
  return metrics.map(({ name }) => name).filter((name) => name.startsWith('durable_payments_'));
}

const namesIn = (text: string) =>
  [...text.matchAll(/durable_payments_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''));

test('the documentation names every metric of ours and no other', async () => {
  const documented = tableRows(textOf('docs/metrics.md'), 'metric').map(([name = '']) =>
    name.replaceAll('`', ''),
  );
  expect(documented.toSorted()).toEqual((await ourMetrics()).toSorted());
});

test('the documentation has a row for each health check', () => {
  const rows = tableRows(section(textOf('docs/operations.md'), 'Health'), 'check');
  expect(rows.map(([name = '']) => name.replaceAll('`', '')).toSorted()).toEqual(
    [...healthChecks].toSorted(),
  );
});

test('alerts and dashboard use metrics that there are', async () => {
  const known = await ourMetrics();
  const dashboard = readFileSync('deploy/grafana/durable-payments.json', 'utf8');
  for (const text of [dashboard, ...alerts.map(({ expr }) => expr)]) {
    for (const name of namesIn(text)) expect(known).toContain(name);
  }
});

test('a read that does not reach the service counts as WorkerCutOff counts it', async () => {
  const registry = createRegistry();
  const service = measuredService(
    createPaymentsService({ baseUrl: 'http://127.0.0.1:1', clientId: 'x', clientSecret: 'x' }),
    registry,
  );
  await service.readPayout('4711', { token: 'x' });
  await service.close();
  const outcome = /service_calls_total\{endpoint="GET \/v1\/payout\/\{id\}",outcome="(\w+)"\} 1/;
  const [, counted] = outcome.exec(await registry.metrics()) ?? [];
  expect(alerts.find(({ alert }) => alert === 'WorkerCutOff')?.expr).toContain(
    `outcome=~"unknown|${String(counted)}"`,
  );
});

test('each alert leads to a section of the runbook', () => {
  for (const { annotations } of alerts) {
    const [path, anchor] = annotations.runbook_url.split('#');
    expect(path).toBe('docs/operations.md');
    expect(anchors('docs/operations.md')).toContain(anchor);
  }
});

test.runIf(whereThereIs('promtool', hasPromtool))(
  'promtool takes the rules and the configuration, and each alert fires when it should',
  () => {
    const inFolder = (file: string) => `deploy/prometheus/${file}`;
    for (const args of [
      ['check', 'rules', inFolder('alerts.yml')],
      ['check', 'config', '--syntax-only', inFolder('prometheus.yml')],
      ['test', 'rules', inFolder('alerts.test.yml')],
    ]) {
      const { code, output } = promtool(args);
      expect({ args, code, output }).toMatchObject({ code: 0 });
    }
  },
);
