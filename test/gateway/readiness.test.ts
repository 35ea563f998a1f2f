import { expect, test } from 'vitest';
import type { HealthCheck } from '../../src/health/problem.js';
import { ownGateway } from '../support/gateway-without-temporal.js';

/** What a gateway whose Temporal answers says of itself, once this was found. */
async function readyz(check?: HealthCheck) {
  const problems = check === undefined ? [] : [{ check, detail: 'what was seen', action: 'what to do' }];
  const report = { problems, checkedAt: new Date('2026-01-01T00:00:00Z') };
  const temporal = { getSystemInfo: () => Promise.resolve({}) };
  const { call } = await ownGateway({ health: () => (check === undefined ? null : report) }, temporal);
  return call('GET', '/readyz', { key: null });
}

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
    expect(await readyz(check)).toMatchObject({
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
    expect(await readyz(check)).toMatchObject({
      status: 503,
      body: { status: 'not_ready', problems: [{ check }] },
    });
  },
);

test('a gateway whose Temporal answers again is ready before the next look', async () => {
  expect(await readyz('temporal')).toMatchObject({ status: 200, body: { status: 'ready' } });
});
