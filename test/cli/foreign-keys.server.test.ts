import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowNotFoundError } from '@temporalio/client';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openWhatIsThere } from '../../src/health/prove-payload-keys.js';
import { pixPayout } from '../processes/support/oms.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { waiting } from '../support/waiting.js';
import { run } from './support/command-line.js';
import { servedForAllTests } from './support/served.js';

const { operator, oms, stack } = await servedForAllTests();
const { address, client, namespace, taskQueue } = stack.server;
const env = {
  ...{ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, PAYMENTS_TASK_QUEUE: taskQueue },
  ...{ PAYLOAD_KEYS: `other:${randomBytes(32).toString('base64')}`, DATA_DIR: operator.dir },
};

async function fileOf(code: string, request: object = pixPayout(code)): Promise<string> {
  const path = join(operator.dir, `${code}.json`);
  await writeFile(path, JSON.stringify(request));
  return path;
}

describe('with other keys than those of the deployment', () => {
  beforeAll(async () => {
    await oms.post('/v1/payouts/pix', pixPayout('known'));
    const opened = () => openWhatIsThere(client, taskQueue);
    await vi.waitUntil(async () => (await opened()).includes('the latest payment'), waiting);
  });

  test('a start is refused, and nothing was started', async () => {
    const { code, output } = await run(['payout', 'start', await fileOf('foreign')], env);
    expect(output).toContain('PAYLOAD_KEYS do not open what is there: the latest payment, payout-known,');
    expect(code).toBe(2);
    await expect(client.workflow.getHandle('payout-foreign').describe()).rejects.toThrow(
      WorkflowNotFoundError,
    );
  });

  test.for([
    'payout abandon known --reason test',
    'payout retry --all --reason test',
    'webhook resend payout-known',
    'reconcile',
  ])('%s is refused before it is sent', async (words) => {
    const { code, output } = await run(words.split(' '), env);
    expect(output).toMatch(/PAYLOAD_KEYS do(es)? not /);
    expect(code).toBe(2);
  });
});

test('where nothing is yet a batch is started', async () => {
  const queue = `empty-${randomUUID()}`;
  const path = await fileOf('early', {
    batch_id: 'early',
    payouts: [{ method: 'pix', ...pixPayout('early') }],
  });
  const own = { ...env, PAYMENTS_TASK_QUEUE: queue, PAYLOAD_KEYS: testPayloadKeys };
  expect(await run(['batch', 'start', path, '--no-wait'], own)).toMatchObject({ code: 0 });
  const batch = client.workflow.getHandle('batch-early-1');
  expect((await batch.describe()).taskQueue).toBe(queue);
  await batch.terminate();
});
