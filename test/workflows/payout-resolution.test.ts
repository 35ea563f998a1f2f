import { describe, expect } from 'vitest';
import { listed } from '../support/listed-payouts.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as payments } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

const test = payments
  /** Starts one of unknown outcome. */
  .extend('unknown', ({ payout }) => async (tags = 'dropped-before') => {
    await payout.start(tags);
    await payout.until(statusIs('submission_unknown'));
  })
  /** Lets reads by its identifier show a value that is not its own. */
  .extend('showsAnotherValue', ({ payout }) => (times: number) => {
    const body = { status: 'error', value: 99 };
    payout.service.answers('GET /v1/payout/{id}', { status: 200, body }, { times });
  });

const nothingHappened = { nothing_happened: true };
const isUnknown = { status: 'submission_unknown', service_id: null };

describe('an identifier that an operator names for a payout of unknown outcome', () => {
  test('is refused when the list shows it under the code of a payout that nobody here knows', async ({
    payout,
    unknown,
  }) => {
    await unknown();
    payout.service.lists(listed(77, freshCode()));
    expect(await payout.refusal('resolveSubmission', { service_id: 77 })).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject(isUnknown);
  });

  test('is refused while another payout here has it, though the list shows it under the code of this one', async ({
    payout,
    payouts,
    unknown,
  }) => {
    const of = freshCode();
    const answer = { effect: 'none', status: 200, body: { id: 77, status: 'claimed' } } as const;
    payout.service.answers('POST /v1/payout/pix', answer, { of });
    await payouts.start(of);
    await unknown();
    payout.service.lists(listed(77, payout.code));
    expect(await payout.refusal('resolveSubmission', { service_id: 77 })).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject(isUnknown);
  });

  test('is refused when it fits neither by value nor by the list', async ({ payout, payouts, unknown }) => {
    const other = freshCode();
    await payouts.start(other, '', { value: 7 });
    await unknown('accepted-then-dropped+unlisted');
    const refusal = (service_id: string) => payout.refusal('resolveSubmission', { service_id });
    expect(await refusal(payouts.idOf(other))).toBe('InvalidMessage');
    payout.service.lists(listed(77, payout.code));
    expect(await refusal(payout.id())).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject(isUnknown);
  });

  test('is refused while the list, which shows whose it is, is down', async ({ payout, unknown }) => {
    await unknown('accepted-then-dropped+unlisted');
    payout.service.fails('GET /v1/payouts');
    const found = { service_id: payout.id() };
    expect(await payout.refusal('resolveSubmission', found)).toBe('CouldNotRead');
    payout.service.recovers();
    const resolved = await payout.command('resolveSubmission', found);
    expect(resolved).toMatchObject({ ...found, status: 'claimed', attention: null });
  });

  test('is refused when a previous attempt has it, though no list shows whose it is', async ({ payout }) => {
    await payout.failed('unlisted');
    const dropped = { effect: 'none', drop: true } as const;
    payout.service.answers('POST /v1/payout/pix', dropped, { of: `${payout.code}-r2` });
    await payout.command('retryPayout');
    await payout.until(statusIs('submission_unknown'));
    expect(await payout.refusal('resolveSubmission', { service_id: payout.id() })).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject({ status: 'submission_unknown', attempts: [{}, {}] });
  });

  test('is taken once its other value is accepted, not only seen', async ({ payout, unknown }) => {
    await unknown();
    payout.service.lists(listed(77, payout.code, { value: 99 }));
    const found = { service_id: 77 };
    const attention = 'inconsistent_answer';
    for (let time = 0; time < 2; time += 1) {
      expect(await payout.refusal('resolveSubmission', found)).toBe('InvalidMessage');
      expect(await payout.state()).toMatchObject({ ...isUnknown, attention });
      await payout.command('acknowledgeAttention', { attention });
      expect(await payout.state()).toMatchObject({ attention: 'submission_unknown' });
    }
    expect(await payout.refusal('resolveSubmission', found)).toBe('InvalidMessage');
    await payout.command('acknowledgeAttention', { attention, accept_value: 99 });
    const resolved = await payout.command('resolveSubmission', found);
    expect(resolved).toMatchObject({ service_id: '77', attention: null });
    expect(payout.madeCodes()).toEqual([]);
  });

  test('is taken when the list had shown it under the code of the payout, though the service has lost it; that nothing had happened is not', async ({
    payout,
    unknown,
  }) => {
    await unknown();
    payout.service.lists(listed(77, payout.code));
    expect(await payout.refusal('resolveSubmission', { service_id: 78 })).toBe('CouldNotRead');
    payout.service.recovers();
    expect(await payout.refusal('resolveSubmission', nothingHappened)).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject({ ...isUnknown, attention: 'submission_unknown' });
    await payout.command('resolveSubmission', { service_id: 77 });
    expect(await payout.after('3 hours')).toMatchObject({ service_id: '77', attention: 'unreadable' });
    const seen = await payout.command('acknowledgeAttention', { attention: 'unreadable' });
    expect(seen).toMatchObject({ attention: null });
    expect(payout.madeCodes()).toEqual([]);
  });

  test('is taken in other capitals than those of the list', async ({ payout, unknown }) => {
    await unknown();
    const service_id = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
    payout.service.lists(listed(service_id, payout.code));
    const found = await payout.command('resolveSubmission', { service_id: service_id.toUpperCase() });
    expect(found).toMatchObject({ status: 'processing', attention: null, service_id });
  });
});

describe('that nothing had happened', () => {
  test('is refused of an identifier that a fresh read shows, and what it shows is followed', async ({
    payout,
  }) => {
    payout.service.fails('GET /v1/payout/{id}');
    await payout.start('unlisted');
    expect(await payout.after('3 hours')).toMatchObject({ attention: 'unreadable', status: 'claimed' });
    payout.service.recovers();
    expect(await payout.refusal('resolveSubmission', nothingHappened)).toBe('AlreadyMoving');
    expect(await payout.until(attentionIs(null), '1 second', 10)).toMatchObject({ commands: [] });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('is refused of a payout that the list shows, though no read by its identifier does', async ({
    payout,
  }) => {
    payout.service.fails('GET /v1/payout/{id}');
    await payout.start();
    await payout.after('3 hours');
    expect(await payout.refusal('resolveSubmission', nothingHappened)).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject({ status: 'claimed' });
  });
});

describe('a payout that failed, and of which a read shows another value', () => {
  test.for([
    ['before an operator has seen that, though the next read fits', 1],
    ['as long as it does, though an operator has seen it', 100],
  ] as const)('is not paid again %s', async ([, times], { payout, showsAnotherValue }) => {
    await payout.failed();
    showsAnotherValue(times);
    await payout.signal('statusHint', { source: 'test' });
    await payout.until(attentionIs('inconsistent_answer'), '1 second', 10);
    if (times > 1) await payout.command('acknowledgeAttention');
    expect(await payout.refusal('retryPayout')).toBe('CouldNotRead');
    expect(payout.madeCodes()).toEqual([payout.code]);
    payout.service.recovers();
    if (times === 1) await payout.command('acknowledgeAttention');
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
  });

  test('while its next attempt waits is paid again once a read fits', async ({
    payout,
    showsAnotherValue,
  }) => {
    await payout.failed();
    payout.throttle(`${payout.code}-r2`);
    await payout.command('retryPayout');
    showsAnotherValue(100);
    await payout.after('2 hours');
    expect(payout.madeCodes()).toEqual([payout.code]);
    payout.service.recovers();
    await payout.until(({ attempts }) => attempts[1]?.status === 'claimed');
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r2`]);
  });
});
