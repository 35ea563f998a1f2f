import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { paymentListing } from '../../src/contract/http/lists.js';
import { cardOrder, pixPayout } from '../processes/support/oms.js';
import { waiting } from '../support/waiting.js';
import { servedForAllTests } from './support/served.js';

const { operator, oms } = await servedForAllTests();

/** What waits for an operator once `count` payments do; visibility follows a moment after. */
function untilListed(count: number) {
  return vi.waitUntil(async () => {
    const { stdout } = await operator.cli('attention', '--json');
    const listed = z.array(paymentListing).parse(JSON.parse(stdout));
    return listed.length === count && listed;
  }, waiting);
}

test('the payments that need an operator are listed, the oldest first, until somebody has acted', async () => {
  expect((await operator.cli('attention')).output).toContain('No payment needs an operator.');

  await oms.post('/v1/payouts/pix', pixPayout('wrong-key', { pix: 'sandbox+error-once@example.com' }));
  await oms.until('/v1/payouts/wrong-key', 'error');
  await oms.post('/v1/orders/card', cardOrder('charged-back', { description: 'sandbox:chargeback' }));
  await oms.until('/v1/orders/charged-back', 'chargeback');

  const listed = await untilListed(2);
  expect(listed.map(({ partner_code: code, attention }) => [code, attention])).toEqual([
    ['wrong-key', 'payout_failed'],
    ['charged-back', 'chargeback'],
  ]);
  const { output } = await operator.cli('attention');
  expect(output).toContain('payout retry wrong-key');
  expect(output).toContain('order acknowledge charged-back');
  expect(output).toMatch(/all +2 +R\$ \d+\.\d\d/);

  const byCause = await operator.cli('attention', '--by', 'cause', '--json');
  expect(JSON.parse(byCause.stdout)).toMatchObject([
    { group: 'service_error', count: 1 },
    { group: 'no cause', count: 1 },
  ]);
  const csv = (await operator.cli('attention', '--csv', '--kind', 'payout', '--value-from', '0.01')).stdout;
  expect(csv).toMatch(
    /^partner_code,kind,attention,cause,[^]*\r?\nwrong-key,payout,payout_failed,service_error,/,
  );
  expect((await operator.cli('attention', '--older-than', '3d')).output).toContain(
    'No payment needs an operator.',
  );

  const acknowledge = (attention: string) =>
    operator.cli('order', 'acknowledge', 'charged-back', '--attention', attention, '--reason', 'accepted');
  const other = await acknowledge('overdue');
  expect(other.code).not.toBe(0);
  expect(other.output).toContain('chargeback');
  const acknowledged = await acknowledge('chargeback');
  expect(acknowledged.code).toBe(0);
  expect(acknowledged.output).toContain('accepted');
  await untilListed(1);
});
