import { describe, expect } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as payments } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

const second = 1_000;

const test = payments
  /** Brings a payout of an hour ago into a list of a page for each: seven more of then, and one of an hour later. */
  .extend('inLongList', ({ payout, payouts, sandbox }) => async (start: () => Promise<unknown>) => {
    sandbox.reset();
    await start();
    for (let other = 0; other < 7; other += 1) await payouts.start(freshCode());
    await payout.after('1 hour');
    await payouts.start(freshCode());
    payout.service.recovers();
    sandbox.list({ per_page: 1 });
  })
  /** Retries it, which is refused because of what happens once this page of the list was read. */
  .extend('refused', ({ payout, slowList }) => async (atPage: number, happens: () => void) => {
    slowList(9 * second, (page) => {
      if (page === atPage) happens();
    });
    expect(await payout.refusal('retryPayout')).toBe('AlreadyMoving');
    expect(payout.madeCodes()).not.toContain(`${payout.code}-r2`);
  });

describe('a command behind a list that takes longer than a minute', () => {
  test('is executed, and its attempt is sent by what the list shows at the end', async ({
    inLongList,
    payout,
    slowList,
  }) => {
    await inLongList(payout.failed);
    const pages: number[] = [];
    slowList(9 * second, (page) => pages.push(page));
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r2`]);
    // All of it, then what is new.
    expect(pages).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2]);
  });

  test('is refused when an attempt moves while the list is read', async ({ inLongList, payout, refused }) => {
    await inLongList(payout.failed);
    await refused(7, () => {
      payout.service.shows('done');
    });
  });

  test('is refused when another record of it comes up', async ({ inLongList, payout, refused, sandbox }) => {
    await inLongList(payout.failed);
    await refused(9, () => sandbox.twin(payout.id(), 'processing'));
  });

  test('is refused when one that the list alone shows moves', async ({ inLongList, payout, refused }) => {
    await inLongList(async () => {
      payout.service.answers('POST /v1/payout/pix', { status: 422 });
      payout.service.fails('GET /v1/payouts');
      await payout.start();
      await payout.until(attentionIs('payout_failed'));
      payout.service.shows('error');
    });
    await refused(9, () => {
      payout.service.shows('processing');
    });
  });

  test('resolves a submission with what the list shows', async ({ inLongList, payout, slowList }) => {
    await inLongList(async () => {
      payout.service.fails('GET /v1/payouts');
      await payout.start('accepted-then-dropped');
      await payout.until(statusIs('submission_unknown'), '10 minutes');
    });
    slowList(9 * second);
    const { status } = await payout.command('resolveSubmission', { service_id: payout.id() });
    expect(status).not.toBe('submission_unknown');
  });

  test('is named by the state with its deadline', async ({ inLongList, payout, slowList, stack }) => {
    await inLongList(payout.failed);
    const seen: PayoutState['pending_commands'][] = [];
    slowList(9 * second, () => {
      seen.push(stack.viewOf(payout.workflowId)?.pending_commands ?? []);
    });
    const { pending_commands: after } = await payout.command('retryPayout');
    const [first] = seen[0] ?? [];
    expect(first).toMatchObject({ command: 'retryPayout', by: 'ana' });
    expect(Date.parse(String(first?.until)) - Date.parse(String(first?.taken_at))).toBe(3_600 * second);
    expect(after).toEqual([]);
  });
});

test.for([
  ['a retry', 'retryPayout', 'Expired'],
  ['an abandonment, which is executed all the same,', 'abandonPayout', 'abandoned'],
] as const)(
  '%s waits until its deadline behind a list that hangs for more than an hour and then fails, and nothing is sent',
  async ([, name, outcome], { inLongList, payout, slowList, stack }) => {
    await inLongList(payout.failed);
    const operator = { by: 'ana', reason: 'a test' };
    let waiting: Promise<string> | undefined;
    slowList(600 * second, (page) => {
      if (page === 7) payout.service.fails('GET /v1/payouts');
      waiting ??= stack.take(payout.workflowId, name, operator).then(({ status }) => status, refusalOf);
    });
    expect(await payout.refusal('retryPayout')).toBe('CouldNotRead');
    expect(await waiting).toBe(outcome);
    expect(payout.madeCodes()).toEqual([payout.code]);
    const { timeline } = await payout.state();
    if (outcome === 'Expired')
      expect(timeline.at(-1)?.what).toMatch(/It has waited 7\d minutes, and is not executed/);
  },
);
