import { Client } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time.js';
import { Worker } from '@temporalio/worker';
import { vi } from 'vitest';
import { createNotificationActivities } from '../../activities/index.js';
import { createPaymentsClient, type PaymentsClient } from '../../src/client.js';
import type { PaymentNotification } from '../../src/contract/notify.js';
import { notificationTaskQueue } from '../../src/domain/notifications.js';
import { createWebhookSender } from '../../src/webhooks/webhook-sender.js';
import { startDeployment, type Deployment } from './deployment.js';
import { replayAfter } from './replay.js';
import { freshCode, pixPayout } from './requests.js';
import { StartedWorkflows } from './started-workflows.js';
import { testDataConverter } from './temporal-data-converter.js';
import { waiting } from './waiting.js';
import { workflowBundle } from './workflow-bundle.js';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';
import { reachesStatus } from './reaches-status.js';

/** Payouts that notify the webhook `shop`, on the run's development server. */
export type WebhookDeployment = Awaited<ReturnType<typeof startWebhookDeployment>>;

export async function startWebhookDeployment() {
  const deployment: Deployment = await startDeployment();
  const { client, place, started, taskQueue } = deployment.server;
  const receiver: WebhookReceiver = await startWebhookReceiver();
  const target = {
    ...{ name: 'shop', url: receiver.url, keys: null },
    ...{ secrets: [receiver.secret], mayBePrivate: false },
  };
  const webhooks = createWebhookSender({ targets: [target], allowLoopback: true });
  await deployment.startWorker();
  const notifier = await Worker.create({
    ...place,
    taskQueue: notificationTaskQueue(taskQueue),
    activities: createNotificationActivities({ webhooks }),
    dataConverter: testDataConverter,
    shutdownGraceTime: 0,
  });
  const running = notifier.run();
  const payments: PaymentsClient = createPaymentsClient({ client, taskQueue, pollScale: 0.02 });
  // Started by a client of its own: what a test keeps are the workflows that resend.
  const startedPayouts = new StartedWorkflows();
  const payouts = createPaymentsClient({
    client: new Client({
      ...place,
      dataConverter: testDataConverter,
      interceptors: { workflow: [startedPayouts.interceptor] },
    }),
    taskQueue,
    pollScale: 0.02,
  });
  const { namespace } = client.options;
  const received = (code: string) =>
    receiver.received
      .map(({ notification }) => notification)
      .filter(({ payment }) => payment.partner_code === code);
  const until = async <T>(look: () => Promise<T> | T, holds: (seen: T) => boolean): Promise<T> => {
    const found = await vi.waitUntil(async () => {
      const seen = await look();
      return holds(seen) && { seen };
    }, waiting);
    return found.seen;
  };
  const deliveries = async (code: string) => {
    const { notifications } = await payments.notifiedPayment(`payout-${code}`).notifications();
    return notifications.map(({ delivery, payment, sequence }) => [sequence, payment.status, delivery]);
  };

  return {
    deployment,
    payments,
    receiver,
    until,
    /** What the receiver was sent about a payout, also what it did not take. */
    received: (code: string): readonly PaymentNotification[] => received(code),
    /** What the receiver was sent about a payout since a count of it. */
    receivedSince: (code: string, before: number) =>
      received(code)
        .slice(before)
        .map(({ id: _, sequence, payment, resent = false }) => [sequence, payment.status, resent]),
    deliveries,
    /** A payout that goes through these statuses, in a state that the webhook was sent of each or waits to be. */
    start: async (statuses: readonly string[], { owner = 'oms', watchDays = 14 } = {}) => {
      const code = freshCode();
      const request = {
        ...pixPayout(code),
        method: 'pix' as const,
        watch_days: watchDays,
        notify: { webhook: 'shop' },
      };
      const { payment } = await payouts.startPayout(request, { owner });
      await reachesStatus(payment, 'claimed');
      for (const status of statuses) {
        deployment.sandbox.setPayoutStatus(code, status);
        await reachesStatus(payment, status);
      }
      return code;
    },
    /** As after three days: what a workflow is about to deliver is given up. */
    giveUp: async (workflowId: string) => {
      await client.workflowService.updateActivityOptions({
        namespace,
        execution: { workflowId },
        type: 'notifyOms',
        activityOptions: { scheduleToCloseTimeout: msToTs('1 second') },
        updateMask: { paths: ['schedule_to_close_timeout'] },
      });
    },
    /** What is being delivered waits for its next attempt, for hours, when this resolves. */
    delayNextAttempt: async (workflowId: string) => {
      const execution = { workflowId };
      const delayed = async () => {
        await client.workflowService.updateActivityOptions({
          ...{ namespace, execution, type: 'notifyOms' },
          activityOptions: {
            retryPolicy: { initialInterval: msToTs('10 hours'), maximumInterval: msToTs('10 hours') },
          },
          updateMask: { paths: ['retry_policy.initial_interval', 'retry_policy.maximum_interval'] },
        });
        const { pendingActivities } = await client.workflowService.describeWorkflowExecution({
          ...{ namespace, execution },
        });
        const inAnHour = Date.now() + 3_600_000;
        return pendingActivities?.some(
          ({ nextAttemptScheduleTime }) => (optionalTsToMs(nextAttemptScheduleTime) ?? 0) > inAnHour,
        );
      };
      // Until one is being delivered there is nothing whose options could be changed.
      await vi.waitUntil(() => delayed().catch(() => false), waiting);
    },
    finished: (id: string) =>
      until(
        () => payments.webhookResend(id).state(),
        ({ closed }) => closed,
      ),
    /** Replays what was started, and ends it. */
    finish: async (history: string | undefined) => {
      const common = { workflowBundle: workflowBundle(), leftOpen: 'all' as const };
      await replayAfter(client, started, { ...common, history });
      await replayAfter(client, startedPayouts, common);
    },
    close: async () => {
      notifier.shutdown();
      await running;
      await receiver.close();
      await deployment.close();
    },
  };
}
