import { setTimeout as sleep } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { turnActivity } from '../src/domain/call-limits.js';
import type { TurnDeps } from './shared/deps.js';

const lookEveryMs = 500;

/**
 * The turn to send of a payment whose creating call no worker took in time. Temporal hands it out at the pace of the
 * creating calls, and it ends once none of them waits for long, or after {@link turnActivity}: with more calls than the pace
 * lets through, some of those that wait here are sent all the same.
 *
 * Safe to retry: it only waits.
 */
export const takeTurn =
  ({ callsWait }: TurnDeps) =>
  async (): Promise<void> => {
    const signal = cancellationSignal();
    const over = performance.now() + turnActivity.waitsMs;
    while (performance.now() < over && !signal.aborted && (await callsWait()))
      await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  };
