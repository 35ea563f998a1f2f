import { z } from 'zod';
import { text } from './fields.js';

/** The body of POST /v1/webhooks/ping: the name of a webhook, or its URL, as `NOTIFY_TARGETS` has it. */
export const webhookPingBody = z.strictObject({ webhook: text(2_048) });

/** What the workflow `webhookPing` starts from. */
export type WebhookPingInput = z.infer<typeof webhookPingBody>;

/** What a webhook gets to see whether it is reached: signed and delivered like a notification, about no payment. */
export const webhookPing = z.object({
  /** The header webhook-id. */
  id: z.string(),
  type: z.literal('webhook.ping'),
  at: z.string().meta({ format: 'date-time' }),
});
export type WebhookPing = z.infer<typeof webhookPing>;

export const webhookPingResult = webhookPing.pick({ id: true, at: true }).extend({
  webhook: z.string(),
  /** Whether it answered with a 2xx status in time. */
  delivered: z.boolean(),
  /** Why not; null when it did. */
  reason: z.string().nullable(),
});
export type WebhookPingResult = z.infer<typeof webhookPingResult>;
