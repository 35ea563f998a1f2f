import { ActivityNotFoundError, type Client } from '@temporalio/client';

/** What stands in Temporal's record of a creating activity from right before its first byte on. */
const mark = { outcome: 'sending' } as const;

/**
 * Records that a creating activity is about to send, and resolves once Temporal has acknowledged it: why nothing may be
 * sent, or undefined when it may. Temporal refuses it for an activity that no longer counts: it timed out, was reset, runs
 * elsewhere, or its workflow is closed. Never rejects. When Temporal gives no answer, the mark may stand though nothing
 * is sent.
 *
 * The SDK's own heartbeat would not do: it is neither awaited nor certain.
 */
export async function markSending(
  client: Client,
  taskToken: Uint8Array,
  withinMs: number,
): Promise<string | undefined> {
  try {
    await client.withDeadline(Date.now() + withinMs, () => client.activity.heartbeat(taskToken, mark));
    return undefined;
  } catch (error) {
    return error instanceof ActivityNotFoundError
      ? 'Temporal no longer waits for this activity. Nothing was sent.'
      : 'Temporal did not acknowledge that the request is about to be sent. Nothing was sent.';
  }
}
