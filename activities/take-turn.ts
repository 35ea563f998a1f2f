import { setTimeout as sleep } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { turnActivity } from '../src/domain/call-limits.js';
import type { TurnDeps } from './shared/deps.js';

const checkEveryMs = 500;

/**
 * Waits for the turn of a payment whose creating call no worker took in time. Temporal starts it at the pace of the creating
 * calls. It ends when none of these has waited too long, or after `turnActivity.waitsMs`: so some payments that wait here
 * are sent even while more calls come than the pace lets through.
 *
 * Safe to retry: it only waits.
 */
export const takeTurn =
  ({ callsWait }: TurnDeps) =>
  async (): Promise<void> => {
    const signal = cancellationSignal();
    const over = performance.now() + turnActivity.waitsMs;
    while (performance.now() < over && !signal.aborted && (await callsWait()))
      await sleep(checkEveryMs, undefined, { signal }).catch(() => undefined);
  };
