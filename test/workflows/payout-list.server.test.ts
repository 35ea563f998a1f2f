import { request } from 'undici';
import { expect } from 'vitest';
import type { PayoutListInput, PayoutListPart } from '../../src/contract/payout-list.js';
import { test } from '../support/deployment.js';
import { recordedAs } from '../support/keep-histories.js';
import { freshCode, pixPayout } from '../support/requests.js';

type ListWorkflow = (input: PayoutListInput) => Promise<PayoutListPart>;

test(
  'who has no credentials of the service reads its list by a workflow',
  recordedAs('payout-list-read'),
  async ({ deployment: { own, sandbox, server, startWorker } }) => {
    await startWorker();
    const code = freshCode();
    const { token } = await own.tokens.current();
    const { method: _method, ...payout } = pixPayout(code);
    const made = await request(`${sandbox.url}/v1/payout/pix`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...payout, notification_url: 'http://127.0.0.1:9/' }),
    });
    await made.body.dump();
    const part = await server.client.workflow.execute<ListWorkflow>('payoutList', {
      workflowId: `payout-list-${code}`,
      taskQueue: server.taskQueue,
      args: [{ page: 1, not_before: '2020-01-01T00:00:00Z' }],
    });
    expect(part).toMatchObject({ payouts: [{ partner_code: code, provider: 'sandbox' }], next_page: null });
  },
);
