import { expect } from 'vitest';
import type { paymentOutcome } from '../../workflows/payment-outcome.js';
import { test } from '../support/deployment.js';
import { recordedAs } from '../support/keep-histories.js';
import { freshCode } from '../support/requests.js';

test(
  'a wait for the outcome of a payment that nobody has started ends with that',
  recordedAs('payment-outcome-failed'),
  async ({ deployment: { server, startWorker } }) => {
    await startWorker();
    const code = freshCode();
    const waiting = server.client.workflow.execute<typeof paymentOutcome>('paymentOutcome', {
      workflowId: `outcome-${code}`,
      taskQueue: server.taskQueue,
      args: [{ kind: 'payout', partner_code: code }],
    });
    await expect(waiting).rejects.toMatchObject({ cause: { type: 'not-found' } });
  },
);
