import { vi } from 'vitest';
import { waiting } from './waiting.js';

type Followed = {
  awaitStatus(wait: { statuses: [string]; timeout_seconds: number }): Promise<{ readonly status: string }>;
};

/** Waits until a payment has this status, however long that takes. */
export async function reachesStatus(payment: Followed, status: string): Promise<void> {
  await vi.waitUntil(async () => {
    const seen = await payment.awaitStatus({ statuses: [status], timeout_seconds: 30 });
    return seen.status === status;
  }, waiting);
}
