import { describe, expect } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import type { Sandbox } from '../../src/dev/sandbox/server.js';
import type { payoutsOn } from '../support/lifecycles/payouts.js';
import { attentionIs, statusIs, type Payment } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

const firewall = {
  headers: { 'content-type': 'text/html' },
  body: '<html><body>Request blocked. Incident 7.</body></html>',
};

const body = { error: 'no' };

type Fixtures = { readonly payouts: ReturnType<typeof payoutsOn>; readonly sandbox: Sandbox };

/** What an error status is answered with, and what follows where it was true. */
const answers: [string, object, 'sent again' | 'refused' | 'unknown'][] = [
  ['400', { status: 400, body }, 'refused'],
  ['401', { status: 401, body }, 'sent again'],
  ['403', { status: 403, body }, 'sent again'],
  ["403 by a firewall's page", { status: 403, ...firewall }, 'sent again'],
  ['404', { status: 404, body }, 'refused'],
  ['409', { status: 409, body }, 'unknown'],
  ['422', { status: 422, body }, 'refused'],
  ['429', { status: 429, body }, 'sent again'],
  ['429 with Retry-After', { status: 429, headers: { 'retry-after': '600' }, body }, 'sent again'],
  ['501', { status: 501, body }, 'refused'],
];
const endpoint = 'POST /v1/payout/pix';

/** No state may have said that nothing was sent, or that nobody was paid. */
function expectNoDenial({ timeline, attention_detail: detail }: PayoutState): void {
  const said = [...timeline.map(({ what }) => what), detail ?? ''].join(' ');
  expect(said).not.toMatch(/not sent|nothing was sent|^no money|\. no money/i);
}

describe('a payout that the service refused, made all the same, and lists only 30 s later', () => {
  /** Its code, and the payout. */
  async function refused({ payouts, sandbox }: Fixtures, more: object = {}) {
    const code = freshCode();
    const fault = { effect: 'done', status: 422, body } as const;
    sandbox.fault({ endpoint, partner_code: code, fault });
    const payout = await payouts.start(code, 'listed-late', more);
    await payout.until(attentionIs('payout_failed'), '1 second');
    return { code, payout };
  }

  test('is not paid again when it is retried at once', async ({ clock, payouts, sandbox }) => {
    const { code, payout } = await refused({ payouts, sandbox });
    expect(await payout.command('retryPayout')).toMatchObject({ status: 'submitting' });
    await clock.pass('30 seconds');
    sandbox.hurry();
    await payout.until(statusIs('claimed'));
    await clock.pass('1 day');
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('is not paid again when one that is retried at once is withdrawn, and retried', async ({
    clock,
    payouts,
    sandbox,
  }) => {
    const { code, payout } = await refused({ payouts, sandbox });
    await payout.command('retryPayout');
    await payout.cancel();
    await payout.until(attentionIs('payout_failed'), '1 second');
    await payout.command('retryPayout');
    await clock.pass('30 seconds');
    sandbox.hurry();
    await payout.until(statusIs('claimed'));
    await clock.pass('1 day');
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('is found before it closes, when it has no watch', async ({ clock, payouts, sandbox }) => {
    const { code, payout } = await refused({ payouts, sandbox }, { watch_days: 0 });
    await clock.pass('30 seconds');
    sandbox.hurry();
    await payout.until(statusIs('claimed'));
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('is found before it closes, when it has no watch and a postback comes too soon', async ({
    clock,
    payouts,
    sandbox,
  }) => {
    const { code, payout } = await refused({ payouts, sandbox }, { watch_days: 0 });
    await payout.postback();
    await clock.pass('30 seconds');
    sandbox.hurry();
    await payout.until(statusIs('claimed'));
    expect(payouts.madeCodes(code)).toEqual([code]);
  });
});

describe.for(answers)('a payout that is answered %s', ([, answer, outcome]) => {
  test('of which nothing came is made once at most', async ({ payout }) => {
    payout.service.answers(endpoint, { effect: 'none', ...answer });
    await payout.start();
    switch (outcome) {
      case 'sent again':
        await payout.until(statusIs('claimed'));
        expect(payout.madeCodes()).toEqual([payout.code]);
        return;
      case 'refused':
        await payout.until(attentionIs('payout_failed'));
        await payout.command('retryPayout');
        await payout.until(statusIs('claimed'));
        expect(payout.madeCodes()).toEqual([`${payout.code}-r2`]);
        return;
      case 'unknown':
        await payout.until(attentionIs('submission_unknown'));
        expect(payout.madeCodes()).toEqual([]);
    }
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
  expect(await payout.command('retryPayout').then(() => undefined, refusalOf)).toBe('AlreadyMoving');
}

describe('until it is looked up, a payout that was answered 429', () => {
  const throttled = (effect: 'none' | 'done') =>
    ({ effect, status: 429, headers: { 'retry-after': '600' }, body }) as const;

  test('is said to have been answered so, and to be looked up', async ({ payout }) => {
    payout.service.answers(endpoint, throttled('done'));
    await payout.start();
    const waiting = await payout.until(({ timeline }) => timeline.length > 0, '1 second');
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
    async ([effect, refusal, status, times], { payout }) => {
      payout.service.answers(endpoint, throttled(effect));
      await payout.start();
      await payout.until(({ timeline }) => timeline.length > 0, '1 second');
      expect(await payout.command('abandonPayout').then(() => undefined, refusalOf)).toBe(refusal);
      expect(await payout.state()).toMatchObject({ status });
      expect(payout.made()).toHaveLength(times);
    },
  );

  test.for([
    ['a cancel request', {}],
    ['the time of send_before', { send_before: true }],
  ] as const)('is looked up before %s ends it', async ([, more], { clock, payout }) => {
    payout.service.answers(endpoint, throttled('done'));
    const sendBefore = new Date((await clock.now()) + 60_000).toISOString();
    await payout.start('', 'send_before' in more ? { send_before: sendBefore } : {});
    await payout.until(({ timeline }) => timeline.length > 0, '1 second');
    if (!('send_before' in more)) await payout.cancel();
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('is found after it was withdrawn too soon, before it closes, when it has no watch', async ({
    payout,
    sandbox,
  }) => {
    payout.service.answers(endpoint, throttled('done'));
    await payout.start('listed-late', { watch_days: 0 });
    await payout.until(({ timeline }) => timeline.length > 0, '1 second');
    expect(await payout.command('abandonPayout')).toMatchObject({ status: 'abandoned', closed: false });
    await payout.after('30 seconds');
    sandbox.hurry();
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('without an effect is said to be refused after a cancel request, and waits for a decision', async ({
    payout,
  }) => {
    payout.service.answers(endpoint, throttled('none'), { times: 10_000 });
    await payout.start();
    await payout.until(({ timeline }) => timeline.length > 0, '1 second');
    await payout.cancel();
    const state = await payout.until(attentionIs('payout_failed'));
    expect(state).toMatchObject({ status: 'rejected', closed: false, attempts: [{ status: 'rejected' }] });
    expect(state.attempts[0]?.error).toContain('The service had answered that it did nothing.');
    payout.service.recovers();
    await payout.after('3 days');
    expect(payout.made()).toHaveLength(0);
  });

  test('is of unknown outcome when it is withdrawn while the list can not be read', async ({ payout }) => {
    payout.service.answers(endpoint, throttled('done'));
    payout.service.fails('GET /v1/payouts');
    await payout.start();
    await payout.until(({ timeline }) => timeline.length > 0, '1 second');
    expect(await payout.command('abandonPayout').then(() => undefined, refusalOf)).toBe('AlreadyMoving');
    await payout.until(attentionIs('submission_unknown'));
    payout.service.recovers();
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});
