import { describe, expect, onTestFinished } from 'vitest';
import { createPaymentsClient } from '../../src/client.js';
import { CommandPendingError } from '../../src/client/errors.js';
import { statusIs } from '../support/payment.js';
import { test as payments } from '../support/payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

const list = 'GET /v1/payouts';
const hanging = { effect: 'done', delay_ms: 25_000 } as const;
const operator = { by: 'ana', reason: 'a test' };

/** A failed payout whose list hangs until it is released. */
const test = payments.extend('behindHangingList', async ({ payouts, sandbox, stack }) => {
  const code = freshCode();
  const payout = await payouts.failed(code);
  sandbox.fault({ endpoint: list, times: 100, fault: hanging });
  const release = () => {
    sandbox.clearFaults();
    sandbox.hurry();
  };
  onTestFinished(release);
  const { client } = stack;
  const handle = createPaymentsClient({ client, taskQueue: stack.taskQueue }).payout(code);
  return { code, handle, payout, release };
});

describe('a command whose list hangs', () => {
  test('is answered as taken, is named by the state, and is executed when the list answers', async ({
    behindHangingList: { code, handle, payout, release },
    payouts,
  }) => {
    const pending = await handle.retry(operator, undefined, { waitMs: 1 }).catch((error: unknown) => error);
    expect(pending).toBeInstanceOf(CommandPendingError);
    const id = pending instanceof CommandPendingError ? pending.commandId : '';
    expect((await handle.state()).pending_commands).toMatchObject([
      { command: 'retryPayout', command_id: id, by: 'ana' },
    ]);
    release();
    const retried = await handle.retry(operator, id);
    expect(retried.pending_commands).toEqual([]);
    await payout.until(statusIs('claimed'));
    expect(payouts.madeCodes(code)).toEqual([code, `${code}-r2`]);
  });
});

describe('a command that waits for another one', () => {
  test('is named by the state after that, and is executed next', async ({
    behindHangingList: { code, payout, release },
    payouts,
    sandbox,
    stack,
  }) => {
    const handle = stack.handleOf(payout);
    const waitsForIt = await handle.startUpdate('retryPayout', {
      args: [operator],
      waitForStage: 'ACCEPTED',
    });
    await sandbox.until(({ calls }) => (calls[list] ?? 0) > 0);
    const behindIt = await handle.startUpdate('abandonPayout', {
      args: [operator],
      waitForStage: 'ACCEPTED',
    });
    expect((await payout.state()).pending_commands).toMatchObject([
      { command: 'retryPayout', command_id: waitsForIt.updateId },
      { command: 'abandonPayout', command_id: behindIt.updateId },
    ]);
    release();
    await Promise.all([waitsForIt.result(), behindIt.result()]);
    expect(payouts.madeCodes(code)).toEqual([code]);
    expect(await payout.state()).toMatchObject({ status: 'abandoned', pending_commands: [] });
  });
});

test('a command that comes later than its sender waits is refused, and has no effect', async ({
  payouts,
  clock,
}) => {
  const code = freshCode();
  const payout = await payouts.failed(code);
  const late = new Date((await clock.now()) - 1).toISOString();
  const retried = payout.command('retryPayout', { take_before: late });
  expect(await retried.catch(refusalOf)).toBe('NotTakenInTime');
  expect((await payout.state()).attempts).toHaveLength(1);
});
