import { expect, test, vi } from 'vitest';
import { longTests } from '../support/waiting.js';
import { deploy } from '../processes/support/deployment.js';
import { pixPayout } from '../processes/support/oms.js';

vi.setConfig(longTests);

const setClock = new URL('support/set-clock.mjs', import.meta.url).href;
const withClock = (differsByMs: number) => ({
  NODE_OPTIONS: `--import=${setClock}`,
  CLOCK_DIFFERS_BY_MS: String(differsByMs),
});

test('a worker whose clock is 60 seconds behind: a payout is sent once', async ({ onTestFinished }) => {
  const deployment = await deploy();
  onTestFinished(() => deployment.close());
  await Promise.all([deployment.worker(withClock(-60_000)), deployment.gateway()]);
  const { oms, sandbox } = deployment;
  await oms.post('/v1/payouts/pix', pixPayout('clock-behind'));
  await oms.until('/v1/payouts/clock-behind', 'done');
  expect(sandbox.ledger().payouts).toMatchObject([{ times_created: 1 }]);
});

test('a worker whose clock is 60 seconds ahead: it sends nothing, and a worker with the right clock sends once', async ({
  onTestFinished,
}) => {
  const deployment = await deploy();
  onTestFinished(() => deployment.close());
  const [ahead] = await Promise.all([deployment.worker(withClock(60_000)), deployment.gateway()]);
  const { oms, sandbox } = deployment;
  await oms.post('/v1/payouts/pix', pixPayout('clock-ahead'));
  const words = async () =>
    (await oms.state('/v1/payouts/clock-ahead')).timeline.map(({ what }) => what).join('\n');
  await expect.poll(words).toContain('a complete scan comes first');
  expect(sandbox.ledger().payouts).toEqual([]);
  await ahead.end('SIGTERM');
  await deployment.worker();
  await expect
    .poll(async () => (await oms.state('/v1/payouts/clock-ahead')).status, { timeout: 100_000 })
    .toBe('done');
  expect(sandbox.ledger().payouts).toMatchObject([{ times_created: 1 }]);
});
