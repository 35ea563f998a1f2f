import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { webhookPingBody, webhookPingResult, type WebhookPingResult } from '../contract/webhook-ping.js';
import { notifying } from '../domain/notifications.js';
import { TemporalUnavailableError } from './errors.js';
import { parseRequest } from './parse.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';
import { idPrefixes } from '../domain/id-prefixes.js';

/**
 * Calls a webhook once to see whether it is reached, and waits for its answer. A worker does it, for it has the secrets.
 *
 * @throws InvalidRequestError; TemporalUnavailableError when no worker did it in time
 */
export async function pingWebhook(
  calls: TemporalCalls,
  taskQueue: string,
  request: unknown,
): Promise<WebhookPingResult> {
  const input = parseRequest(webhookPingBody, request);
  const handle = await callTemporal(calls, () =>
    calls.client.workflow.start('webhookPing', {
      workflowId: `${idPrefixes.webhookPing}${randomUUID()}`,
      taskQueue,
      args: [input],
      workflowExecutionTimeout: '1 minute',
      staticSummary: 'A test of a webhook',
    }),
  );
  try {
    return webhookPingResult.parse(
      await callTemporal(calls, () => handle.result(), notifying.startToCloseMs),
    );
  } catch (error) {
    if (error instanceof WorkflowFailedError) throw new TemporalUnavailableError(error);
    throw error;
  }
}
