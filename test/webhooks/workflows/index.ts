import { executeChild } from '@temporalio/workflow';
import type { NotificationInput } from '../../../src/contract/notify.js';

/** Hands over what it has not to say: notifications of another payment. */
export async function impostor(taskQueue: string, input: NotificationInput): Promise<void> {
  await executeChild('notification', { taskQueue, args: [input] });
}
