import { describe, expect } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as base } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

const endpoint = 'POST /v1/payout/pix';
const second = 1_000;
const throttled = (effect: 'none' | 'done') => ({ effect, status: 429 }) as const;
const putOff = ({ timeline }: PayoutState) =>
  timeline.find(({ what }) => what.startsWith('Not sent again yet'));

/** Behind payouts of an hour ago, of which the list shows two a page. */
const test = base.extend('older', async ({ payouts, sandbox, clock }) => {
  sandbox.reset();
  for (let older = 0; older < 4; older += 1) await payouts.start(freshCode());
  await clock.pass('1 hour');
  sandbox.list({ per_page: 2 });
  return sandbox.ledger().payouts.length;
});

describe('a proof is as old as the first page of its scan', () => {
  test('is too old after more than a minute', async ({ older, payout, sandbox, slowList }) => {
    sandbox.list({ per_page: 1, times: 'absent' });
    payout.service.answers(endpoint, throttled('none'));
    slowList(20 * second);
    await payout.start();
    const waiting = await payout.until((state) => putOff(state) !== undefined);
    expect(putOff(waiting)?.what).toContain('took more than a minute');
    expect(sandbox.ledger().payouts).toHaveLength(older);
    slowList(0);
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test.for(['a first attempt', 'a further attempt'])(
    '%s that appears on the first page while the third is read is found, and not sent again',
    async (attempt, { older, payout, sandbox, slowList }) => {
      expect(older).toBeGreaterThan(3);
      const isFirst = attempt === 'a first attempt';
      const sent = isFirst ? payout.code : `${payout.code}-r2`;
      sandbox.list({ per_page: 1, times: 'absent' });
      if (!isFirst) await payout.failed('listed-late');
      payout.service.answers(endpoint, throttled('done'), { of: sent });
      await (isFirst ? payout.start('listed-late') : payout.command('retryPayout'));
      slowList(21 * second, (page) => {
        if (page === 3) sandbox.hurry();
      });
      await payout.until(statusIs('claimed'));
      expect(payout.madeCodes().filter((made) => made === sent)).toHaveLength(1);
    },
  );
});

test('a list without an end proves nothing, and the state says so', async ({ older, payout, sandbox }) => {
  sandbox.list({ per_page: 2, order: 'oldest-first', total_pages: 'absent', endless: true });
  payout.service.answers(endpoint, throttled('none'));
  await payout.start();
  const waiting = await payout.until((state) => putOff(state) !== undefined);
  expect(putOff(waiting)?.what).toContain("The service's list could not be read completely.");
  expect(await payout.until(attentionIs('not_sent'))).toMatchObject({ status: 'submitting' });
  expect(sandbox.ledger().payouts).toHaveLength(older);
});

describe('a further attempt', () => {
  test.for(['done', 'processing'])(
    'is refused while the list holds another record under the code of the failed one that is %s',
    async (status, { payout, sandbox }) => {
      await payout.failed();
      sandbox.twin(payout.code, status);
      expect(await payout.refusal('retryPayout')).toBe('AlreadyMoving');
      const state = await payout.state();
      expect(state).toMatchObject({ attention: 'inconsistent_answer', attempts: [{ status }] });
      expect(payout.madeCodes()).toEqual([payout.code, payout.code]);
    },
  );

  test('is sent once an operator has seen another failed record', async ({ payout, sandbox }) => {
    await payout.failed();
    sandbox.twin(payout.code, 'error');
    expect(await payout.refusal('retryPayout')).toBe('CouldNotRead');
    await payout.command('acknowledgeAttention');
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code, payout.code, `${payout.code}-r2`]);
  });

  test('is not sent when another record appears before it is', async ({ payout, sandbox }) => {
    await payout.failed();
    payout.throttle(`${payout.code}-r2`);
    await payout.command('retryPayout');
    sandbox.twin(payout.code, 'done');
    await payout.until(({ attempts }) => attempts[1]?.status === 'rejected');
    expect(payout.madeCodes()).toEqual([payout.code, payout.code]);
  });
});
