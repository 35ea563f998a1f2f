import { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { createPaymentsClient } from '../../src/client.js';
import { createDataConverter } from '../../src/temporal/data-converter.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { pixPayout } from './requests.js';
import { operatorKey } from './call.js';
import { gatewayForAllTests } from './test-gateway.js';

const gateway = await gatewayForAllTests();

const endings = {
  terminated: (workflowId: string) =>
    gateway.server.client.workflow.getHandle(workflowId).terminate('a slip'),
  failed: (workflowId: string) => gateway.change(workflowId, { fail: true }),
};

test.each(['terminated', 'failed'] as const)('a payment that was %s never reads as alive', async (how) => {
  // Other tests list payouts as well, by the hundred.
  const value = how === 'terminated' ? 73.01 : 73.02;
  const payout = { ...pixPayout(), value };
  const workflowId = `payout-${payout.partner_code}`;
  const path = `/v1/payouts/${payout.partner_code}`;
  await gateway.call('POST', '/v1/payouts/pix', { body: payout });
  await gateway.change(workflowId, { status: 'claimed' });
  expect((await gateway.call('GET', path)).body).toMatchObject({
    ...{ closed: false, closed_as: null, commands: ['acknowledgeAttention'] },
  });
  await endings[how](workflowId);
  await gateway.server.client.workflow
    .getHandle(workflowId)
    .result()
    .catch(() => undefined);

  const read = await gateway.call('GET', path);
  expect(read.body).toMatchObject({ status: 'claimed', closed: true, closed_as: how, commands: [] });
  expect(read.body.awaiting).toContain('the money may still move');
  const waited = await gateway.call('GET', `${path}?until=done`, { headers: { prefer: 'wait=20' } });
  expect(waited.body.closed_as).toBe(how);

  const repeated = await gateway.call('POST', '/v1/payouts/pix', { body: payout });
  expect(repeated).toMatchObject({
    status: 409,
    headers: { location: path },
    body: { type: 'urn:durable-payments:problem:closed-early', reason: how },
  });
  expect(repeated.body.detail).toContain('Look the payment up at the service');
  const command = await gateway.call('POST', `${path}/retry`, { body: { reason: 'a test' } });
  expect(command).toMatchObject({ status: 409, body: { reason: 'Closed' } });
  expect(command.body.detail).toContain('nobody follows it any more');

  const listed = async () => {
    const range = `value_from=${String(value)}&value_to=${String(value)}`;
    const { body } = await gateway.call('GET', `/v1/payouts?${range}`);
    return body.payments.find(({ partner_code }) => partner_code === payout.partner_code);
  };
  await expect.poll(listed).toMatchObject({ closed: true, closed_as: how });

  const { client, taskQueue } = gateway.server;
  const state = await createPaymentsClient({ client, taskQueue }).payout(payout.partner_code).state();
  expect(state).toMatchObject({ closed: true, closed_as: how });
});

test('a payment whose key is gone is listed as terminated all the same, and so are all others', async () => {
  const { client, connection, taskQueue } = gateway.server;
  const dataConverter = createDataConverter(parseKeyRing(`gone:${Buffer.alloc(32, 9).toString('base64')}`));
  const { namespace } = client.options;
  const elsewhere = new Client({ connection, namespace, dataConverter });
  const payout = { ...pixPayout(), value: 73.05 };
  await createPaymentsClient({ client: elsewhere, taskQueue }).startPayout({ ...payout, method: 'pix' });
  await client.workflow.getHandle(`payout-${payout.partner_code}`).terminate('a slip');
  const listed = async () => {
    const { body } = await gateway.call('GET', '/v1/payouts?value_from=73.05&value_to=73.05', {
      key: operatorKey,
    });
    return body.payments;
  };
  await expect.poll(listed).toMatchObject([{ closed: true, closed_as: 'terminated' }]);
});
