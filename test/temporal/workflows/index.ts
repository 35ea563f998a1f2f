import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';

const { leak } = proxyActivities<{ leak(secret: string): Promise<void> }>({
  startToCloseTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
});

/** Fails in its activity and then itself, both with the secret in their words. */
export async function failing(secret: string): Promise<void> {
  await leak(secret).catch(() => undefined);
  throw ApplicationFailure.nonRetryable(`the workflow knows ${secret}`, 'Leak', { secret });
}
