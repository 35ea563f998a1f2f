import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { HealthReport } from '../../src/gateway/deps.js';
import type { HealthCheck } from '../../src/health/problem.js';
import { startTestGateway, type TestGateway } from './test-gateway.js';

let gateway: TestGateway;
let report: HealthReport | null = null;

beforeAll(async () => {
  gateway = await startTestGateway({ health: () => report });
});
beforeEach(() => {
  report = null;
});
afterAll(() => gateway.close());

const found = (check: HealthCheck): HealthReport => ({
  problems: [{ check, detail: 'what was seen', action: 'what to do' }],
  checkedAt: new Date('2026-01-01T00:00:00Z'),
});
const readyz = () => gateway.call('GET', '/readyz', { key: null });

test('a gateway is ready before the first look at the system has ended', async () => {
  expect(await readyz()).toMatchObject({ status: 200, body: { status: 'ready', checked_at: null } });
});

test.each([
  'workers',
  'workflow_tasks',
  'credentials',
  'service',
  'clock',
  'unsent',
  'reconciliation',
] as const)(
  'what all gateways have in common (%s) is reported, and takes none of them from its balancer',
  async (check) => {
    report = found(check);
    expect(await readyz()).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        checked_at: '2026-01-01T00:00:00.000Z',
        problems: [{ check, action: 'what to do' }],
      },
    });
  },
);

test.each(['payload_keys', 'card_store', 'output'] as const)(
  'a gateway that can’t do its own work (%s) is not ready',
  async (check) => {
    report = found(check);
    expect(await readyz()).toMatchObject({
      status: 503,
      body: { status: 'not_ready', problems: [{ check }] },
    });
  },
);

test('a gateway whose Temporal answers again is ready before the next look', async () => {
  report = found('temporal');
  expect(await readyz()).toMatchObject({ status: 200, body: { status: 'ready' } });
});
