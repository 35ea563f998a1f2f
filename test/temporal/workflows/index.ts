import {
  ApplicationFailure,
  condition,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';

const { leak } = proxyActivities<{ leak(secret: string): Promise<void> }>({
  startToCloseTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
});

export const finish = defineSignal('finish');
export const ask = defineUpdate<string, [string]>('ask');

/** Fails in its activity and then itself, both with the secret in their words. */
export async function failing(secret: string): Promise<void> {
  await leak(secret).catch(() => undefined);
  throw ApplicationFailure.nonRetryable(`the workflow knows ${secret}`, 'Leak', { secret });
}

/** Waits for a month, or for a signal; answers questions meanwhile. */
export async function waiting(): Promise<string> {
  let finished = false;
  setHandler(finish, () => {
    finished = true;
  });
  setHandler(ask, (question) => `${question}!`);
  return (await condition(() => finished, '30 days')) ? 'signalled' : 'waited';
}
