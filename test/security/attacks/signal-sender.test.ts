import { describe, expect, test } from 'vitest';
import { createNotificationActivities } from '../../../activities/index.js';
import { payoutInput } from '../../../src/contract/payout.js';
import { bulkRetryPageId, resentNotificationsId, webhookResendWorkflowId } from '../../../src/domain/ids.js';
import { outcomeWorkflowId } from '../../../src/domain/nexus.js';
import { notifyWorkflowProblem } from '../../../src/domain/notify-targets.js';
import { createWebhookSender } from '../../../src/webhooks/webhook-sender.js';
import { pixPayout } from '../../gateway/requests.js';

const reserved = [
  ...['temporal-sys-scheduler:payout-reconciliation', 'temporal-sys-history-scanner', 'payout-a', 'order-a'],
  ...['refund-a', 'batch-a-1', 'bulk-retry-a', 'account-validation-a', 'token-renewal-0f', 'token-renewal'],
  ...['payout-reconciliation', 'payout-reconciliation-2026-11-21T10:00:00Z'],
  ...['notification-payout-a-0f', 'webhook-ping-0f', 'payout-list-0f'],
  ...[webhookResendWorkflowId('a'), resentNotificationsId('a', 'payout-a'), bulkRetryPageId('a', 1)],
  outcomeWorkflowId('payout-a', '0f'),
];

describe('a payment that is to signal', () => {
  test.for(reserved)('%s is refused, whatever NOTIFY_WORKFLOWS allows', (workflowId) => {
    for (const prefixes of [[], ['oms-'], [workflowId], [workflowId.slice(0, 1)]])
      expect(notifyWorkflowProblem(prefixes, workflowId, 'shop')).toContain('never signalled');
    const input = { ...pixPayout(), method: 'pix', notify: { workflow_id: workflowId, signal: 'patch' } };
    expect(payoutInput.safeParse(input).success).toBe(false);
  });

  test.for(['retryPayout', 'postbackReceived', 'statusHint', '__temporal_x'])(
    'by %s, which commands payments, is refused, whichever workflow it names',
    (signal) => {
      const input = { ...pixPayout(), method: 'pix', notify: { workflow_id: 'oms-1', signal } };
      expect(payoutInput.safeParse(input).success).toBe(false);
    },
  );

  test('a workflow of its OMS is refused unless NOTIFY_WORKFLOWS has how its id begins', () => {
    expect(notifyWorkflowProblem([], 'oms-1', 'shop')).toContain('NOTIFY_WORKFLOWS');
    expect(notifyWorkflowProblem(['shop-', 'om'], 'my-oms-1', 'shop')).toContain('NOTIFY_WORKFLOWS');
    expect(notifyWorkflowProblem([''], 'oms-1', 'shop')).toContain('NOTIFY_WORKFLOWS');
    expect(notifyWorkflowProblem(['shop-', 'oms-'], 'oms-1', 'shop')).toBeUndefined();
  });

  test('is checked by the worker too, for an SDK may start it directly', async () => {
    const { checkNotifyWorkflow } = createNotificationActivities({
      webhooks: createWebhookSender({ targets: [], allowLoopback: false }),
      notifyWorkflows: ['oms-', { prefix: 'erp-', keys: ['erp'] }],
    });
    const problem = async (workflow_id: string, started_by: string | null = null) =>
      (await checkNotifyWorkflow({ workflow_id, started_by })).problem;
    expect(await problem('oms-1')).toBeNull();
    expect(await problem('crm-1')).toContain('NOTIFY_WORKFLOWS');
    expect(await problem('payout-1')).toContain('never signalled');
    expect(await problem('erp-1', 'erp')).toBeNull();
    for (const stranger of ['shop', null])
      expect(await problem('erp-1', stranger)).toContain('NOTIFY_WORKFLOWS');
  });
});
