import { expect } from 'vitest';
import { freshCode, pixPayout } from '../support/requests.js';
import { test } from './support/nexus-stack.js';

test('what passes is encrypted; a refusal is readable without keys, and holds nothing of the request', async ({
  oms,
  nexus,
}) => {
  const secret = 'Quaresma';
  const run = await oms.start('call', oms.endpoint, 'startPayout', {
    ...pixPayout(freshCode()),
    ...{ last_name: secret, document: '1' },
  });
  await run.result();
  const history = JSON.stringify(await run.fetchHistory());
  expect(history).not.toContain(secret);
  expect(history).not.toContain(Buffer.from(secret).toString('base64').slice(0, 8));
  expect(history).toContain('document: must be a valid CPF');
  expect(history).toContain(nexus.endpoints.oms);
});

test('starts and commands are in the audit stream by the name of their caller', async ({
  oms,
  deployment,
  nexus,
}) => {
  await deployment.startWorker();
  const code = freshCode();
  await oms.call('startPayout', pixPayout(code));
  await oms.callAsShop('abandonPayout', { partner_code: code, reason: 'a test' });
  const workflow_id = `payout-${code}`;
  expect(nexus.audit.filter((entry) => entry.workflow_id === workflow_id)).toMatchObject([
    { key: 'oms', address: 'nexus', command: 'startPayout', workflow_id, outcome: 'started' },
    { key: 'shop', address: 'nexus', command: 'abandonPayout', workflow_id, outcome: 'not found' },
  ]);
});

test('what can not be read is in the audit stream, too', async ({ oms, nexus }) => {
  const before = nexus.audit.length;
  const { document: _, ...unreadable } = pixPayout(freshCode());
  for (const [operation, input] of [
    ['startPayout', unreadable],
    ['retryPayout', {}],
    ['abandonPayout', {}],
  ] as const) {
    expect(await oms.call(operation, input)).toMatchObject({ refused: {} });
  }
  expect(nexus.audit.slice(before).map(({ command, outcome }) => [command, outcome])).toEqual([
    ['startPayout', 'invalid'],
    ['retryPayout', 'invalid'],
    ['abandonPayout', 'invalid'],
  ]);
});
