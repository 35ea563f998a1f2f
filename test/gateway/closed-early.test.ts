import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPaymentsClient } from '../../src/client.js';
import { pixPayout } from './requests.js';
import { startRig } from './rig.js';
import type { Rig } from './rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const endings = {
  terminated: (workflowId: string) => rig.server.client.workflow.getHandle(workflowId).terminate('a slip'),
  failed: (workflowId: string) => rig.change(workflowId, { fail: true }),
};

test.each(['terminated', 'failed'] as const)('a payment that was %s never reads as alive', async (how) => {
  const payout = pixPayout();
  const workflowId = `payout-${payout.partner_code}`;
  const path = `/v1/payouts/${payout.partner_code}`;
  await rig.call('POST', '/v1/payouts/pix', { body: payout });
  await rig.change(workflowId, { status: 'claimed' });
  expect((await rig.call('GET', path)).body).toMatchObject({ closed: false, closed_as: null });
  await endings[how](workflowId);
  await rig.server.client.workflow
    .getHandle(workflowId)
    .result()
    .catch(() => undefined);

  const read = await rig.call('GET', path);
  expect(read.body).toMatchObject({ status: 'claimed', closed: true, closed_as: how });
  expect(read.body.awaiting).toContain('the money may still move');
  const waited = await rig.call('GET', `${path}?until=done`, { headers: { prefer: 'wait=20' } });
  expect(waited.body.closed_as).toBe(how);

  const repeated = await rig.call('POST', '/v1/payouts/pix', { body: payout });
  expect(repeated).toMatchObject({
    status: 409,
    headers: { location: path },
    body: { type: 'urn:durable-payments:problem:closed-early', reason: how },
  });
  expect(repeated.body.detail).toContain('Look the payment up at the service');
  const command = await rig.call('POST', `${path}/retry`, { body: {} });
  expect(command).toMatchObject({ status: 409, body: { reason: 'Closed' } });
  expect(command.body.detail).toContain('nobody follows it any more');

  const listed = async () => {
    const { body } = await rig.call('GET', '/v1/payouts?limit=200');
    return body.payments.find(({ partner_code }) => partner_code === payout.partner_code);
  };
  await expect.poll(listed).toMatchObject({ closed: true, closed_as: how });

  const { client, taskQueue } = rig.server;
  const state = await createPaymentsClient({ client, taskQueue }).payout(payout.partner_code).state();
  expect(state).toMatchObject({ closed: true, closed_as: how });
});

test('a payment that has ended by itself is closed as completed', async () => {
  const payout = pixPayout();
  const workflowId = `payout-${payout.partner_code}`;
  await rig.call('POST', '/v1/payouts/pix', { body: payout });
  await rig.change(workflowId, { status: 'done', end: true });
  await rig.server.client.workflow.getHandle(workflowId).result();
  expect((await rig.call('POST', '/v1/payouts/pix', { body: payout })).status).toBe(200);
  const { body } = await rig.call('GET', `/v1/payouts/${payout.partner_code}`);
  expect(body).toMatchObject({ status: 'done', closed: true, closed_as: 'completed' });
});
