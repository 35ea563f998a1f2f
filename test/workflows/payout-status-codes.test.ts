import { describe, expect } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { attentionIs, statusIs, type Payment } from '../support/payment.js';
import { test as payments } from '../support/plain-payments.js';

const page = '<html><body>Request blocked. Incident 7.</body></html>';
const firewall = { headers: { 'content-type': 'text/html' }, body: page };
const body = { error: 'no' };

/** One or two answers of each class, and what follows where they were true. The class of each: `outcome-classes.test.ts`. */
const answers: [string, object, 'sent again' | 'refused' | 'unknown'][] = [
  ['401', { status: 401, body }, 'sent again'],
  ["403 by a firewall's page", { status: 403, ...firewall }, 'sent again'],
  ['409', { status: 409, body }, 'unknown'],
  ['422', { status: 422, body }, 'refused'],
  ['429', { status: 429, body }, 'sent again'],
  ['429 with Retry-After', { status: 429, headers: { 'retry-after': '600' }, body }, 'sent again'],
];
const endpoint = 'POST /v1/payout/pix';

/** No state may have shown that nothing was sent, or that nobody was paid. */
function expectNoDenial({ timeline, attention_detail: detail }: PayoutState): void {
  const shown = [...timeline.map(({ what }) => what), detail ?? ''].join(' ');
  expect(shown).not.toMatch(/not sent|nothing was sent|^no money|\. no money/i);
}

const test = payments
  /** Lets the list show what was made late. */
  .extend('isListed', ({ payout, sandbox }) => async () => {
    await payout.after('30 seconds');
    sandbox.hurry();
  })
  /** Starts one that was answered 429 and waits to be looked up. */
  .extend('throttled', ({ payout }) => async (effect: 'none' | 'done', tags = '', more: object = {}) => {
    const headers = { 'retry-after': '600' };
    const times = effect === 'none' ? 10_000 : 1;
    payout.service.answers(endpoint, { effect, status: 429, headers, body }, { times });
    await payout.start(tags, more);
    return payout.until(({ timeline }) => timeline.length > 0, '1 second');
  });

test.for([
  ['is retried at once', {}, ['retry']],
  ['is retried at once, withdrawn, and retried', {}, ['retry', 'cancel', 'retry']],
  ['has no watch', { watch_days: 0 }, []],
  ['has no watch, and a postback comes too soon', { watch_days: 0 }, ['postback']],
] as const)(
  'a payout that the service refused, made all the same and lists only 30 s later is found, and not paid again, when it %s',
  async ([, more, happens], { isListed, payout }) => {
    payout.service.answers(endpoint, { status: 422, body });
    await payout.start('listed-late', more);
    await payout.until(attentionIs('payout_failed'), '1 second');
    for (const each of happens) {
      if (each === 'postback') await payout.postback();
      else if (each === 'cancel') await payout.cancel();
      else expect(await payout.command('retryPayout')).toMatchObject({ status: 'submitting' });
    }
    await isListed();
    await payout.until(statusIs('claimed'));
    await payout.after('1 day');
    expect(payout.madeCodes()).toEqual([payout.code]);
  },
);

describe.for(answers)('a payout that is answered %s', ([, answer, outcome]) => {
  test('of which nothing came is made once at most', async ({ payout }) => {
    payout.service.answers(endpoint, { effect: 'none', ...answer });
    await payout.start();
    if (outcome === 'unknown') {
      await payout.until(attentionIs('submission_unknown'));
      expect(payout.madeCodes()).toEqual([]);
      return;
    }
    if (outcome === 'refused') {
      await payout.until(attentionIs('payout_failed'));
      await payout.command('retryPayout');
    }
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([outcome === 'refused' ? `${payout.code}-r2` : payout.code]);
  });

  test('and that was made all the same is found, and never sent again', async ({ payout }) => {
    payout.service.answers(endpoint, { effect: 'done', ...answer });
    await payout.start();
    if (outcome === 'refused') await isRefusedARetry(payout);
    const found = await payout.until(statusIs('claimed'));
    if (outcome !== 'refused') expectNoDenial(found);
    payout.service.shows('done');
    await payout.until(statusIs('done'));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('on a retry, and that was made all the same, is found, and never sent again', async ({ payout }) => {
    await payout.failed();
    const second = `${payout.code}-r2`;
    payout.service.answers(endpoint, { effect: 'done', ...answer }, { of: second });
    await payout.command('retryPayout');
    if (outcome === 'refused') await isRefusedARetry(payout);
    await payout.until(statusIs('claimed'));
    payout.service.shows('done', second);
    expect(await payout.until(statusIs('done'))).toMatchObject({ attention: null });
    expect(payout.madeCodes()).toEqual([payout.code, second]);
  });
});

/** The list is looked at before a further attempt. */
async function isRefusedARetry(payout: Payment<PayoutState>): Promise<void> {
  const refused = await payout.until(({ refusal }) => refusal !== null);
  expectNoDenial(refused);
  expect(await payout.refusal('retryPayout')).toBe('AlreadyMoving');
}

describe('until it is looked up, a payout that was answered 429', () => {
  test('is shown as answered so, and as looked up', async ({ throttled }) => {
    const waiting = await throttled('done');
    expect(waiting.timeline.at(-1)?.what).toBe(
      'The service answered 429. Its words: error: no Whether it has taken the payout is looked up, then it is sent again.',
    );
    expect(waiting.awaiting).toBe('the time to look whether the service has taken it all the same');
  });

  test.for([
    ['done', 'AlreadyMoving', 'claimed', 1],
    ['none', undefined, 'abandoned', 0],
  ] as const)(
    'with the effect %s is looked up before it is withdrawn',
    async ([effect, refusal, status, times], { payout, throttled }) => {
      await throttled(effect);
      expect(await payout.refusal('abandonPayout')).toBe(refusal);
      expect(await payout.state()).toMatchObject({ status });
      expect(payout.made()).toHaveLength(times);
    },
  );

  test.for(['a cancel request', 'the time of send_before'])(
    'is looked up before %s ends it',
    async (end, { clock, payout, throttled }) => {
      const send_before = new Date((await clock.now()) + 60_000).toISOString();
      await throttled('done', '', end === 'a cancel request' ? {} : { send_before });
      if (end === 'a cancel request') await payout.cancel();
      await payout.until(statusIs('claimed'));
      expect(payout.madeCodes()).toEqual([payout.code]);
    },
  );

  test('is found after it was withdrawn too soon', async ({ isListed, payout, throttled }) => {
    await throttled('done', 'listed-late', { watch_days: 0 });
    expect(await payout.command('abandonPayout')).toMatchObject({ status: 'abandoned', closed: false });
    await isListed();
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('is of unknown outcome when withdrawn while the list is down', async ({ payout, throttled }) => {
    payout.service.fails('GET /v1/payouts');
    await throttled('done');
    expect(await payout.refusal('abandonPayout')).toBe('AlreadyMoving');
    await payout.until(attentionIs('submission_unknown'));
    payout.service.recovers();
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});
