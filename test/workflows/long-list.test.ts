import { describe, expect } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { attentionIs, statusIs, type Payment } from '../support/payment.js';
import { test as base } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

const second = 1_000;

type Failed = { readonly code: string; readonly payout: Payment<PayoutState> };

const test = base
  /** Makes the list one of a page for each payout: seven more of now, and one of an hour later. */
  .extend('fillList', ({ clock, payouts, sandbox }) => async () => {
    for (let other = 0; other < 7; other += 1) await payouts.start(freshCode());
    await clock.pass('1 hour');
    await payouts.start(freshCode());
    sandbox.clearFaults();
    sandbox.list({ per_page: 1 });
  })
  /** A failed payout of an hour ago, in such a list. */
  .extend('failed', async ({ fillList, payouts, sandbox }) => {
    sandbox.reset();
    const code = freshCode();
    const payout = await payouts.failed(code);
    await fillList();
    return { code, payout };
  })
  /** Retries a payout, which is refused because of what happens once this page of the list was read. */
  .extend('refused', ({ payouts, slowList }) => {
    return async ({ code, payout }: Failed, atPage: number, happens: () => void) => {
      slowList(9 * second, (page) => {
        if (page === atPage) happens();
      });
      expect(await payout.command('retryPayout').catch(refusalOf)).toBe('AlreadyMoving');
      expect(payouts.madeCodes(code)).not.toContain(`${code}-r2`);
    };
  });

describe('a command behind a list that takes longer than a minute', () => {
  test('is executed, and its attempt is sent by what the list shows at the end', async ({
    failed: { code, payout },
    payouts,
    slowList,
  }) => {
    const pages: number[] = [];
    slowList(9 * second, (page) => pages.push(page));
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    expect(payouts.madeCodes(code)).toEqual([code, `${code}-r2`]);
    // All of it, then what is new.
    expect(pages).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2]);
  });

  test('is refused when an attempt moves while the list is read', async ({ failed, refused, service }) => {
    await refused(failed, 7, () => service.shows('done', failed.code));
  });

  test('is refused when another record of an attempt comes up as the list was read to its end', async ({
    failed,
    payouts,
    refused,
    sandbox,
  }) => {
    await refused(failed, 9, () => sandbox.twin(payouts.idOf(failed.code), 'processing'));
  });

  test('is refused when an attempt that the list alone shows moves while it is read', async ({
    failed: { code: older },
    fillList,
    payout,
    payouts,
    refused,
  }) => {
    payout.service.answers('POST /v1/payout/pix', { effect: 'done', status: 422 });
    payout.service.fails('GET /v1/payouts');
    await payout.start();
    await payout.until(attentionIs('payout_failed'));
    payout.service.shows('error');
    await fillList();
    expect(payouts.madeCodes(older)).toHaveLength(1);
    await refused({ code: payout.code, payout: payout }, 10, () => payout.service.shows('processing'));
  });

  test('resolves a submission of unknown outcome with the identifier that the list shows', async ({
    failed: { code: older },
    payout,
    payouts,
    sandbox,
    slowList,
  }) => {
    payout.service.fails('GET /v1/payouts');
    await payout.start('accepted-then-dropped');
    await payout.until(statusIs('submission_unknown'), '10 minutes');
    payout.service.recovers();
    sandbox.list({ per_page: 1 });
    expect(payouts.madeCodes(older)).toHaveLength(1);
    slowList(9 * second);
    const state = await payout.command<PayoutState>('resolveSubmission', { service_id: payout.id() });
    expect(state.status).not.toBe('submission_unknown');
  });

  test('is named by the state until it is executed, with its deadline', async ({
    failed: { payout },
    slowList,
    stack,
  }) => {
    const seen: PayoutState['pending_commands'][] = [];
    slowList(9 * second, () => {
      seen.push(stack.viewOf(payout.workflowId)?.pending_commands ?? []);
    });
    const { pending_commands: after } = await payout.command<PayoutState>('retryPayout');
    const [first] = seen[0] ?? [];
    expect(first).toMatchObject({ command: 'retryPayout', by: 'ana' });
    expect(Date.parse(String(first?.until)) - Date.parse(String(first?.taken_at))).toBe(3_600 * second);
    expect(after).toEqual([]);
  });
});
