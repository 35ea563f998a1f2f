import { Client } from '@temporalio/client';
import type { PaymentState } from '../../src/contract/state.js';
import { statusIs } from '../support/payment.js';
import { test as payments } from '../support/payments.js';
import { freshCode, pixPayout } from '../support/requests.js';

// That each kind takes plain JSON: `bare-starts.test.ts`.
const test = payments.extend('bare', ({ stack }) => {
  // As an OMS in Java or Go has it: plain payloads, types and messages by their names.
  const client = new Client({ connection: stack.env.connection });
  return {
    start: async (type: string, workflowId: string, input: object) => {
      await client.workflow.start(type, {
        workflowId,
        taskQueue: stack.taskQueue,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        args: [input],
      });
      // Answers are encrypted; whoever holds the key reads them.
      return stack.payment<PaymentState>(workflowId);
    },
    /** Sends an Update. Its answer is encrypted, so only that it was accepted is seen. */
    command: (workflowId: string, name: string, message: object) =>
      client.workflow.getHandle(workflowId).startUpdate(name, { args: [message], waitForStage: 'ACCEPTED' }),
    signal: (workflowId: string, name: string, message: object) =>
      client.workflow.getHandle(workflowId).signal<[object]>(name, message),
  };
});

test('a payout is started, retried as Update and as Signal, and abandoned, in plain JSON', async ({
  bare,
  sandbox,
}) => {
  const code = freshCode();
  const id = `payout-${code}`;
  const handle = await bare.start('payout', id, pixPayout(code));
  for (const [attempt, retry] of [
    [
      '',
      () =>
        bare.command(id, 'retryPayout', {
          corrections: { pix: 'right@example.com' },
          by: 'oms',
          reason: 'a test',
        }),
    ],
    ['-r2', () => bare.signal(id, 'retryPayout', { by: 'oms', reason: 'a test' })],
    ['-r3', () => bare.command(id, 'abandonPayout', { reason: 'paid in cash', by: 'oms' })],
  ] as const) {
    await handle.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code + attempt, 'error');
    await handle.until(statusIs('error'));
    await retry();
  }
  await handle.until(statusIs('abandoned'));
});
