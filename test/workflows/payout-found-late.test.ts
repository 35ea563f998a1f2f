import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { listed } from '../support/listed-payouts.js';
import { test } from '../support/plain-payments.js';

describe('a payout that was refused and made all the same', () => {
  test.for([
    ['on a hint', '2 minutes', '1 second', 10],
    ['at the next daily read, without any hint', '2 minutes', '1 hour', 30],
    ['by a daily scan, when the list has not shown it for a day', '30 hours', '1 hour', 30],
  ] as const)('is found %s, and followed', async ([how, after, step, limit], { payout }) => {
    payout.service.answers('POST /v1/payout/pix', { effect: 'done', status: 422 });
    if (after === '30 hours') payout.service.lists();
    await payout.start();
    await payout.until(attentionIs('payout_failed'));
    expect(payout.madeCodes()).toEqual([payout.code]);
    await payout.after(after);
    payout.service.recovers();
    if (how === 'on a hint') await payout.postback();
    const found = await payout.until(statusIs('claimed'), step, limit);
    expect(found).toMatchObject({ attention: null, service_id: payout.id() });
    payout.service.shows('done');
    await payout.until(statusIs('done'));
    expect(await payout.refusal('retryPayout')).toBe('NotParked');
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('a payout that an operator stated not to have happened', () => {
  test('is found on a hint when it did, and followed', async ({ payout, sandbox }) => {
    await payout.start('accepted-then-dropped+listed-late');
    await payout.until(statusIs('submission_unknown'));
    await payout.command('resolveSubmission', { nothing_happened: true });
    sandbox.hurry();
    payout.service.shows('done');
    await payout.postback();
    expect(await payout.until(statusIs('done'), '1 second', 10)).toMatchObject({ attention: null });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test.for([
    ['a scan finds it', 'accepted-then-dropped+listed-late', 'submission_unknown'],
    ['a read shows that it moves, though it was never read and no list shows it', 'unlisted', 'claimed'],
  ] as const)('is not paid again when %s after all', async ([, tags, status], { payout, sandbox }) => {
    payout.service.fails('GET /v1/payout/{id}');
    await payout.start(tags);
    await payout.until(statusIs(status));
    await payout.command('resolveSubmission', { nothing_happened: true });
    expect(await payout.state()).toMatchObject({ attention: 'payout_failed', status: 'rejected' });
    payout.service.recovers();
    sandbox.hurry();
    expect(await payout.refusal('retryPayout', { attempt: 1 })).toBe('AlreadyMoving');
    expect(await payout.state()).toMatchObject({ attention: null, status: 'claimed' });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('a payout whose answered identifier no read finds', () => {
  test('is followed by the list', async ({ payout }) => {
    await payout.start('id-other');
    await payout.until(statusIs('claimed'));
    payout.service.shows('done');
    const done = await payout.until(statusIs('done'));
    expect(done).toMatchObject({ attention: null, attempts: [{ list_id: payout.id() }] });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('and that is not listed either needs attention within two hours, and takes the right one', async ({
    payout,
  }) => {
    await payout.start('id-other+unlisted');
    await payout.until(attentionIs('unreadable'), '5 minutes', 24);
    expect(await payout.refusal('retryPayout')).toBe('NotParked');
    const serviceId = Number(payout.id());
    const resolved = await payout.command('resolveSubmission', { service_id: serviceId, by: 'ana' });
    expect(resolved).toMatchObject({ service_id: String(serviceId) });
    await payout.until(attentionIs(null));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('a service with one kind of identifier for reads and another in its list', () => {
  test('has a payout that only the list shows followed by the list', async ({ payout }) => {
    payout.service.lists(listed(77, payout.code));
    await payout.start('accepted-then-dropped');
    await payout.until(statusIs('processing'));
    payout.service.recovers();
    payout.service.lists(listed(77, payout.code, { status: 'done' }));
    expect(await payout.until(statusIs('done'))).toMatchObject({ attention: null });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('shows both identifiers of a payout, without attention', async ({ payout }) => {
    await payout.failed();
    const other = 1_000_000 + Number(payout.id());
    payout.throttle(`${payout.code}-r2`);
    payout.service.lists(listed(other, payout.code, { status: 'error' }));
    await payout.command('retryPayout');
    const claimed = await payout.until(({ attempts }) => attempts[1]?.status === 'claimed');
    payout.service.recovers();
    expect(claimed).toMatchObject({ attention: null, attempts: [{ list_id: String(other) }, {}] });
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r2`]);
  });
});

describe('a payout that the list shows moving under another identifier than its own', () => {
  const listedTest = test.extend('movesElsewhere', ({ payout }) => (status = 'processing') => {
    payout.service.recovers();
    payout.service.shows('error');
    payout.service.lists(listed(77, payout.code, { status }));
  });

  listedTest(
    'is not called failed by a read of its own once a refused command was shown it',
    async ({ movesElsewhere, payout }) => {
      payout.service.fails('GET /v1/payout/{id}', 404);
      await payout.start('unlisted');
      await payout.until(({ commands }) => commands.includes('resolveSubmission'), '1 second', 30);
      payout.service.lists(listed(77, payout.code));
      expect(await payout.refusal('resolveSubmission', { service_id: payout.id() })).toBe('CouldNotRead');
      movesElsewhere();
      const state = await payout.until(({ last_read: read }) => read !== null, '1 minute', 10);
      expect(state).toMatchObject({ status: 'processing' });
      expect(state.attention).not.toBe('payout_failed');
      expect(await payout.refusal('retryPayout')).toBe('NotParked');
      expect(payout.madeCodes()).toEqual([payout.code]);
    },
  );

  listedTest(
    'is not called failed by its own reads before the list shows that as well',
    async ({ movesElsewhere, payout }) => {
      payout.service.fails('GET /v1/payout/{id}', 404);
      payout.service.lists(listed(77, payout.code));
      await payout.start('unlisted');
      await payout.until(statusIs('processing'), '1 minute', 10);
      movesElsewhere();
      const { attempts, status, timeline } = await payout.after('2 days');
      expect({ attempts, status }).toMatchObject({ status: 'processing', attempts: [{ list_id: '77' }] });
      const doubt = "A read shows attempt 1 as failed, the service's list as moving: it counts as moving.";
      expect(timeline.filter(({ what }) => what.includes(doubt))).toHaveLength(1);
      expect((await payout.after('30 days')).attention_detail).toContain(doubt);
      movesElsewhere('error');
      expect(await payout.until(statusIs('error'), '1 hour', 30)).toMatchObject({
        attention: 'payout_failed',
      });
    },
  );
});

describe('a payout that the service shows with another value for good', () => {
  test('is followed once an operator accepts that value', async ({ payout }) => {
    await payout.start('read-value-other-always');
    await payout.until(attentionIs('inconsistent_answer'));
    payout.service.shows('done');
    expect(await payout.refusal('acknowledgeAttention', { accept_value: '1' })).toBe('InvalidMessage');
    const accepted = await payout.command('acknowledgeAttention', { accept_value: 987_654.32, by: 'ana' });
    expect(accepted).toMatchObject({ attention: null });
    expect(await payout.until(statusIs('done'))).toMatchObject({ attention: null });
  });

  test('is retried although its list shows the value that was asked for', async ({ payout }) => {
    await payout.start('read-value-other-always');
    await payout.until(attentionIs('inconsistent_answer'));
    await payout.command('acknowledgeAttention', { accept_value: 987_654.32 });
    payout.service.shows('error');
    await payout.until(statusIs('error'));
    payout.service.fails('POST /v1/payout/pix', 422, `${payout.code}-r2`);
    await payout.command('retryPayout');
    // Nothing but the list shows whether the service made something of what it refused.
    await payout.until(statusIs('rejected'));
    await payout.command('retryPayout');
    await payout.until(({ attempts }) => attempts[2]?.status === 'claimed');
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r3`]);
  });
});
