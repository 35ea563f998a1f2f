import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { longTests } from '../support/waiting.js';
import { deploy } from '../processes/support/deployment.js';
import { cardOrder, pixPayout } from '../processes/support/oms.js';

vi.setConfig(longTests);

const changesPage = z.object({
  payments: z.array(z.object({ partner_code: z.string() })),
  next_since: z.iso.datetime(),
  complete: z.boolean(),
});

const setClock = new URL('support/set-clock.mjs', import.meta.url).href;
const withClock = (differsByMs: number) => ({
  NODE_OPTIONS: `--import=${setClock}`,
  CLOCK_DIFFERS_BY_MS: String(differsByMs),
});

const hour = 3_600_000;

test('workers and gateways whose clocks are an hour behind: each payment is sent once, and the changes are all listed', () =>
  payByAnotherClock('behind', -hour));

test('workers and gateways whose clocks are an hour ahead: each payment is sent once, and the changes are all listed', () =>
  payByAnotherClock('ahead', hour));

async function payByAnotherClock(side: string, differsByMs: number): Promise<void> {
  const [payout, order] = [`sent-${side}`, `charged-${side}`];
  const deployment = await deploy();
  onTestFinished(() => deployment.close());
  const { oms, sandbox } = deployment;
  const since = new Date(Date.now() - 1_000).toISOString();
  await Promise.all([deployment.worker(withClock(differsByMs)), deployment.gateway(withClock(differsByMs))]);
  await Promise.all([
    oms.post('/v1/payouts/pix', pixPayout(payout)),
    oms.post('/v1/orders/card', cardOrder(order)),
  ]);
  const ends = await Promise.all([
    oms.until(`/v1/payouts/${payout}`, 'done'),
    oms.until(`/v1/orders/${order}`, 'compensated'),
  ]);
  expect(ends).toMatchObject([{ attention: null }, { attention: null }]);
  const { payouts, orders } = sandbox.ledger();
  expect(payouts).toMatchObject([{ times_created: 1 }]);
  expect(orders).toMatchObject([{ times_submitted: 1 }]);

  const changes = async () => {
    const { body } = await oms.get(`/v1/changes?since=${since}`);
    return changesPage.parse(body);
  };
  const changed = async () => (await changes()).payments.map(({ partner_code: code }) => code).sort();
  await expect.poll(changed).toEqual(expect.arrayContaining([order, payout]));
  const { complete, next_since: next } = await changes();
  expect(complete).toBe(true);
  expect(Math.abs(Date.parse(next) - Date.now())).toBeLessThan(hour / 2);
}
