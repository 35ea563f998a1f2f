import type { WebhookPingResult } from '../src/contract/webhook-ping.js';
import type { NotificationDeps } from './shared/deps.js';

/** `webhook` is a name or URL; it is looked up in the list of targets. */
export type PingWebhookInput = { id: string; webhook: string };

/**
 * Calls a webhook once, to see whether it is reached and takes what is signed with its secret.
 *
 * Safe to retry: it is about no payment, and its id is the same each time.
 */
export const pingWebhook =
  ({ webhooks }: NotificationDeps) =>
  async ({ id, webhook }: PingWebhookInput): Promise<WebhookPingResult> => {
    const at = new Date().toISOString();
    const delivery = await webhooks.deliver(webhook, { id, type: 'webhook.ping', at });
    const delivered = delivery.kind === 'delivered';
    return { id, at, webhook, delivered, reason: delivered ? null : delivery.reason };
  };
