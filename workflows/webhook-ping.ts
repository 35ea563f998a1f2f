import { workflowInfo } from '@temporalio/workflow';
import type { WebhookPingInput, WebhookPingResult } from '../src/contract/webhook-ping.js';
import { pinging } from './shared/activities.js';

/** A test of a webhook: calls it once and returns whether it was reached. About no payment. */
export function webhookPing({ webhook }: WebhookPingInput): Promise<WebhookPingResult> {
  const { pingWebhook } = pinging('call the webhook');
  return pingWebhook({ id: `${workflowInfo().runId}-ping`, webhook });
}
