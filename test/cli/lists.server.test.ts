import { beforeAll, expect, test, vi } from 'vitest';
import { paymentPage } from '../../src/contract/http/lists.js';
import { checkout, pixPayout } from '../processes/support/oms.js';
import { waiting } from '../support/waiting.js';
import { servedForAllTests } from './support/served.js';

const { operator, oms } = await servedForAllTests();

const failing = { pix: 'sandbox+error-once@example.com' };
const beforeAllOfThem = new Date().toISOString();
const payouts = {
  'listed-1': pixPayout('listed-1', { value: 31.07 }),
  'listed-2': pixPayout('listed-2', { ...failing, value: 31.08 }),
  'listed-3': pixPayout('listed-3', { ...failing, value: 31.09 }),
};

/** The codes of this file's payments that a command lists, page after page. */
async function listed(...args: string[]): Promise<string[]> {
  const codes: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: string[] = cursor === '' ? [] : ['--cursor', cursor];
    const { code, output } = await operator.cli(...args, '--json', ...page);
    expect(code, output).toBe(0);
    const { next_cursor: next, payments } = paymentPage.parse(JSON.parse(output));
    codes.push(...payments.map(({ partner_code: listedCode }) => listedCode ?? ''));
    cursor = next;
  }
  return codes.filter((code) => code.startsWith('listed-')).sort();
}

beforeAll(async () => {
  const batch = Object.values(payouts).map((payout) => ({ method: 'pix', ...payout }));
  await oms.post('/v1/payout-batches', { batch_id: 'listed', payouts: batch });
  await oms.post('/v1/payouts/pix', pixPayout('listed-alone', failing));
  await oms.post('/v1/orders/checkout', checkout('listed-order'));
  // A batch starts its payouts after it was acknowledged.
  await vi.waitUntil(async () => (await listed('payout', 'list')).length >= 4, waiting);
  await oms.until('/v1/payouts/listed-1', 'done');
  for (const code of ['listed-2', 'listed-3', 'listed-alone'])
    await oms.until(`/v1/payouts/${code}`, 'error');
  // Lists follow a moment later.
  const failed = () => listed('payout', 'list', '--status', 'error');
  await vi.waitUntil(async () => (await failed()).length >= 3, waiting);
  const checkouts = () => listed('order', 'list', '--kind', 'hosted_checkout');
  await vi.waitUntil(async () => (await checkouts()).length >= 1, waiting);
});

test.for([
  ['a batch', ['--batch-id', 'listed'], ['listed-1', 'listed-2', 'listed-3']],
  ['a batch, one a page', ['--batch-id', 'listed', '--limit', '1'], ['listed-1', 'listed-2', 'listed-3']],
  ['what failed in a batch', ['--batch-id', 'listed', '--status', 'error'], ['listed-2', 'listed-3']],
  ['a batch that there is not', ['--batch-id', 'none'], []],
  ['a cause', ['--cause', 'service_error'], ['listed-2', 'listed-3', 'listed-alone']],
  ['another cause', ['--cause', 'returned'], []],
  ['values', ['--value-from', '31.08', '--value-to', '31.09'], ['listed-2', 'listed-3']],
  ['later starts', ['--started-after', '2031-01-01T00:00:00Z'], []],
  ['earlier starts', ['--started-before', beforeAllOfThem], []],
] as const)('payouts are listed by %s', async ([, filter, codes]) => {
  expect(await listed('payout', 'list', ...filter)).toEqual(codes);
});

test.for([
  ['hosted_checkout', ['listed-order']],
  ['card_order', []],
] as const)('orders of the kind %s are listed apart', async ([kind, codes]) => {
  expect(await listed('order', 'list', '--kind', kind)).toEqual(codes);
});

test('the same is asked for over HTTP', async () => {
  const { body } = await oms.get('/v1/payouts?batch_id=listed&cause=service_error&value_from=31.09');
  expect(paymentPage.parse(body).payments).toMatchObject([
    { partner_code: 'listed-3', status: 'error', cause: 'service_error' },
  ]);
});

test('the cursor of a batch is none of all payouts, and none of another batch', async () => {
  const { body } = await oms.get('/v1/payouts?batch_id=listed&limit=1');
  const { next_cursor: cursor } = paymentPage.parse(body);
  expect(await oms.get(`/v1/payouts?batch_id=listed&limit=1&cursor=${String(cursor)}`)).toMatchObject({
    status: 200,
  });
  for (const filter of ['', 'batch_id=another&'])
    expect(await oms.get(`/v1/payouts?${filter}limit=1&cursor=${String(cursor)}`)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'cursor' }] },
    });
});

test.for([
  ['payout', '--value-from', '1.005'],
  ['payout', '--started-after', 'yesterday'],
  ['payout', '--batch-id', 'a b'],
  ['order', '--started-before', '2031'],
] as const)('a filter of %s with %s %s is refused by its name', async ([noun, option, value]) => {
  const { code, output } = await operator.cli(noun, 'list', option, value);
  expect(code).toBe(2);
  expect(output).toContain(option);
});
