import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time.js';
import { vi } from 'vitest';
import { paymentQueues } from '../../src/processes/payment-queues.js';
import { createWebhookSender } from '../../src/webhooks/webhook-sender.js';
import { fastPayments, test as base } from './deployment.js';
import { reachesStatus } from './reaches-status.js';
import { replayAfter } from './replay.js';
import { freshCode, pixPayout } from './requests.js';
import { noteStarted } from './temporal-dev-server.js';
import { waiting } from './waiting.js';
import { startWorkers } from './workers.js';
import { workflowBundle } from './workflow-bundle.js';
import { accept, shopTarget, startWebhookReceiver } from './webhook-receiver.js';

/** Payouts that notify the webhook `shop`, on the run's development server. */
export const test = base
  .extend('notifying', { scope: 'file' }, async ({ shared }, { onCleanup }) => {
    const { server } = shared;
    const receiver = await startWebhookReceiver();
    const webhooks = createWebhookSender({ targets: [shopTarget(receiver)], allowLoopback: true });
    await shared.startWorker();
    const notifications = { webhooks };
    const stop = await startWorkers(server.place, [
      paymentQueues.notifications(server.taskQueue, { notifications }),
    ]);
    onCleanup(async () => {
      await stop();
      await receiver.close();
    });
    return { receiver };
  })
  .extend('receiver', ({ notifying: { receiver } }) => {
    receiver.answerBy(accept);
    return receiver;
  })
  .extend('oms', async ({ deployment: { sandbox, server }, payments, receiver }, { onCleanup }) => {
    const { namespace } = server;
    const { workflowService } = server.client;
    // Started by a client of its own: what a test keeps are the workflows that resend.
    const ofPayouts = noteStarted(server);
    onCleanup(() => replayAfter(server.client, ofPayouts.started, { workflowBundle: workflowBundle() }));
    const payouts = fastPayments({ ...server, ...ofPayouts });
    const received = (code: string) =>
      receiver.received
        .map(({ notification }) => notification)
        .filter(({ payment }) => payment.partner_code === code);
    const deliveries = async (code: string) => {
      const { notifications } = await payments.notifiedPayment(`payout-${code}`).notifications();
      return notifications.map(({ delivery, payment, sequence }) => [sequence, payment.status, delivery]);
    };
    return Promise.resolve({
      /** What the receiver was sent about a payout, also what it did not take. */
      received,
      /** What the receiver was sent about a payout since a count of it. */
      receivedSince: (code: string, before: number) =>
        received(code)
          .slice(before)
          .map(({ sequence, payment, resent = false }) => [sequence, payment.status, resent]),
      untilReceived: (code: string, count: number) =>
        vi.waitUntil(() => received(code).length >= count, waiting),
      untilDeliveries: (code: string, ...expected: [number, string, string][]) =>
        vi.waitUntil(
          async () => JSON.stringify(await deliveries(code)) === JSON.stringify(expected),
          waiting,
        ),
      /** A payout that goes through these statuses, in a state that the webhook was sent of each or waits to be. */
      start: async (statuses: readonly string[], { owner = 'oms', watchDays = 14 } = {}) => {
        const code = freshCode();
        const more = { watch_days: watchDays, notify: { webhook: 'shop' } };
        const request = { ...pixPayout(code), ...more, method: 'pix' as const };
        const { payment } = await payouts.startPayout(request, { owner });
        await reachesStatus(payment, 'claimed');
        for (const status of statuses) {
          sandbox.setPayoutStatus(code, status);
          await reachesStatus(payment, status);
        }
        return code;
      },
      /** As after three days: what a workflow is about to deliver is given up. */
      giveUp: (workflowId: string) =>
        workflowService.updateActivityOptions({
          ...{ namespace, execution: { workflowId }, type: 'notifyOms' },
          activityOptions: { scheduleToCloseTimeout: msToTs('1 second') },
          updateMask: { paths: ['schedule_to_close_timeout'] },
        }),
      /** What is being delivered waits for its next attempt, for hours, when this resolves. */
      delayNextAttempt: async (workflowId: string) => {
        const execution = { workflowId };
        const delayed = async () => {
          const { pendingActivities } = await workflowService.describeWorkflowExecution({
            ...{ namespace, execution },
          });
          const next = Math.max(
            ...(pendingActivities ?? []).map((each) => optionalTsToMs(each.nextAttemptScheduleTime) ?? 0),
          );
          if (next > Date.now() + 3_600_000) return true;
          // Not while it is being delivered: only what waits for its next attempt is put off.
          if (next > Date.now())
            await workflowService.updateActivityOptions({
              ...{ namespace, execution, type: 'notifyOms' },
              activityOptions: {
                retryPolicy: { initialInterval: msToTs('10 hours'), maximumInterval: msToTs('10 hours') },
              },
              updateMask: { paths: ['retry_policy.initial_interval', 'retry_policy.maximum_interval'] },
            });
          return false;
        };
        await vi.waitUntil(() => delayed().catch(() => false), waiting);
      },
    });
  });
