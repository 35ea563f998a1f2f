import { condition, defineQuery, setHandler, workflowInfo } from '@temporalio/workflow';
import type { TokenHealth } from '../../../src/contract/token.js';

/** Answers as a worker does whose clock is three minutes ahead. */
export async function tokenRenewal(): Promise<void> {
  setHandler(defineQuery<TokenHealth>('health'), (): TokenHealth => ({
    now: new Date(workflowInfo().unsafe.now() + 180_000).toISOString(),
    token: null,
  }));
  await condition(() => false);
}
