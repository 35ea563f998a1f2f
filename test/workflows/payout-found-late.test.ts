import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';

describe('a payout that was refused and made all the same', () => {
  test.for([
    ['on a hint', '1 second', 10],
    ['at the next daily read, without any hint', '1 hour', 30],
  ] as const)('is found %s, and followed', async ([how, step, limit], { payout }) => {
    payout.service.answers('POST /v1/payout/pix', { effect: 'done', status: 422 });
    await payout.start();
    await payout.until(attentionIs('payout_failed'));
    expect(payout.madeCodes()).toEqual([payout.code]);
    await payout.after('2 minutes');
    if (how === 'on a hint') await payout.postback();
    const found = await payout.until(statusIs('claimed'), step, limit);
    expect(found).toMatchObject({ attention: null, service_id: payout.id() });
    payout.service.shows('done');
    await payout.until(statusIs('done'));
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('NotParked');
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('a payout that an operator stated not to have happened', () => {
  test('is found on a hint when it did, and followed', async ({ payout, sandbox }) => {
    await payout.start('accepted-then-dropped+listed-late');
    await payout.until(statusIs('submission_unknown'));
    await payout.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    sandbox.hurry();
    payout.service.shows('done');
    await payout.postback();
    expect(await payout.until(statusIs('done'), '1 second', 10)).toMatchObject({ attention: null });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('a payout that an operator stated not to have happened before it was ever read', () => {
  test('is followed once a read shows that it moves, and not paid again, though no list shows it', async ({
    payout,
  }) => {
    payout.service.fails('GET /v1/payout/{id}');
    await payout.start('unlisted');
    await payout.until(statusIs('claimed'), '1 second');
    await payout.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(await payout.state()).toMatchObject({ attention: 'payout_failed', status: 'rejected' });
    payout.service.recovers();
    expect(await payout.command('retryPayout', { attempt: 1 }).catch(refusalOf)).toBe('AlreadyMoving');
    expect(await payout.state()).toMatchObject({ attention: null, status: 'claimed' });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('a payout that waited to be sent for more than a minute', () => {
  test('is looked for in the list before it is sent: what answered 429 may have paid', async ({ payout }) => {
    payout.service.answers('POST /v1/payout/pix', {
      effect: 'done',
      status: 429,
      headers: { 'retry-after': '600' },
    });
    await payout.start();
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('is not sent while the list can not be read', async ({ payout }) => {
    payout.service.answers('POST /v1/payout/pix', {
      effect: 'none',
      status: 429,
      headers: { 'retry-after': '600' },
    });
    payout.service.fails('GET /v1/payouts');
    await payout.start();
    await payout.after('2 hours');
    expect(payout.madeCodes()).toEqual([]);
    payout.service.recovers();
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('a payout whose answered identifier no read finds', () => {
  test('is followed by the list', async ({ payout }) => {
    await payout.start('id-other');
    await payout.until(statusIs('claimed'));
    payout.service.shows('done');
    const done = await payout.until(statusIs('done'));
    expect(done).toMatchObject({
      attention: null,
      attempts: [{ list_id: payout.id() }],
    });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('and that is not listed either needs attention within two hours, and takes the right one', async ({
    payout,
  }) => {
    await payout.start('id-other+unlisted');
    await payout.until(attentionIs('unreadable'), '5 minutes', 24);
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('NotParked');
    const serviceId = Number(payout.id());
    const resolved = await payout.command('resolveSubmission', { service_id: serviceId, by: 'ana' });
    expect(resolved).toMatchObject({ service_id: String(serviceId) });
    await payout.until(attentionIs(null));
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('a service with one kind of identifier for reads and another in its list', () => {
  const listedAs = (id: number, code: string, status: string) => ({
    endpoint: 'GET /v1/payouts' as const,
    times: 10_000,
    fault: {
      status: 200,
      body: {
        ...{ total_pages: 1, current_page: 1 },
        payouts: [{ id, partner_code: code, status, value: 150.25, claimed_at: new Date().toISOString() }],
      },
    },
  });

  test('has a payout that only the list shows followed by the list', async ({ payout, sandbox }) => {
    sandbox.fault(listedAs(77, payout.code, 'processing'));
    await payout.start('accepted-then-dropped');
    await payout.until(statusIs('processing'));
    payout.service.recovers();
    sandbox.fault(listedAs(77, payout.code, 'done'));
    expect(await payout.until(statusIs('done'))).toMatchObject({ attention: null });
    payout.service.recovers();
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('shows both identifiers of a payout, without attention', async ({ payout, sandbox }) => {
    await payout.failed();
    const other = 1_000_000 + Number(payout.id());
    payout.throttle(`${payout.code}-r2`);
    sandbox.fault(listedAs(other, payout.code, 'error'));
    await payout.command('retryPayout');
    const claimed = await payout.until(({ attempts }) => attempts[1]?.status === 'claimed');
    payout.service.recovers();
    expect(claimed).toMatchObject({ attention: null, attempts: [{ list_id: String(other) }, {}] });
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r2`]);
  });
});

describe('a payout that the service shows with another value for good', () => {
  test('is followed once an operator accepts that value', async ({ payout }) => {
    await payout.start('read-value-other-always');
    await payout.until(attentionIs('inconsistent_answer'));
    payout.service.shows('done');
    const wrong = payout.command('acknowledgeAttention', { accept_value: '1' }).catch(refusalOf);
    expect(await wrong).toBe('InvalidMessage');
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
    payout.service.answers(
      'POST /v1/payout/pix',
      { effect: 'none', status: 422 },
      { of: `${payout.code}-r2` },
    );
    await payout.command('retryPayout');
    // Nothing but the list shows whether the service made something of what it refused.
    await payout.until(statusIs('rejected'));
    await payout.command('retryPayout');
    await payout.until(({ attempts }) => attempts[2]?.status === 'claimed');
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r3`]);
  });
});
