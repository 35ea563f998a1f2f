import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('a payout that was refused and made all the same', () => {
  test.for([
    ['on a hint', '1 second', 10],
    ['at the next daily read, without any hint', '1 hour', 30],
  ] as const)('is found %s, and followed', async ([how, step, limit], { payouts, sandbox, clock }) => {
    const code = freshCode();
    const endpoint = 'POST /v1/payout/pix';
    sandbox.fault({ endpoint, partner_code: code, fault: { effect: 'done', status: 422 } });
    const payout = await payouts.start(code);
    await payout.until(attentionIs('payout_failed'));
    expect(payouts.madeCodes(code)).toEqual([code]);
    await clock.pass('2 minutes');
    if (how === 'on a hint') await payout.postback();
    const found = await payout.until(statusIs('claimed'), step, limit);
    expect(found).toMatchObject({ attention: null, service_id: payouts.idOf(code) });
    sandbox.setPayoutStatus(code, 'done');
    await payout.until(statusIs('done'));
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('NotParked');
    expect(payouts.madeCodes(code)).toEqual([code]);
  });
});

describe('a payout that an operator stated not to have happened', () => {
  test('is found on a hint when it did, and followed', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.start(code, 'accepted-then-dropped+listed-late');
    await payout.until(statusIs('submission_unknown'));
    await payout.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    sandbox.hurry();
    sandbox.setPayoutStatus(code, 'done');
    await payout.postback();
    expect(await payout.until(statusIs('done'), '1 second', 10)).toMatchObject({ attention: null });
    expect(payouts.madeCodes(code)).toEqual([code]);
  });
});

describe('a payout that an operator stated not to have happened before it was ever read', () => {
  test('is followed once a read shows that it moves, and not paid again, though no list shows it', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const endpoint = 'GET /v1/payout/{id}';
    const unreadable = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint, partner_code: code, times: 10_000, fault: unreadable });
    const payout = await payouts.start(code, 'unlisted');
    await payout.until(statusIs('claimed'), '1 second');
    await payout.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(await payout.state()).toMatchObject({ attention: 'payout_failed', status: 'rejected' });
    sandbox.clearFaults();
    expect(await payout.command('retryPayout', { attempt: 1 }).catch(refusalOf)).toBe('AlreadyMoving');
    expect(await payout.state()).toMatchObject({ attention: null, status: 'claimed' });
    expect(payouts.madeCodes(code)).toEqual([code]);
  });
});

describe('a payout that waited to be sent for more than a minute', () => {
  test('is looked for in the list before it is sent: what answered 429 may have paid', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const endpoint = 'POST /v1/payout/pix';
    const fault = { effect: 'done', status: 429, headers: { 'retry-after': '600' } } as const;
    sandbox.fault({ endpoint, partner_code: code, fault });
    const payout = await payouts.start(code);
    await payout.until(statusIs('claimed'));
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('is not sent while the list can not be read', async ({ payouts, sandbox, clock }) => {
    const code = freshCode();
    const fault = { effect: 'none', status: 429, headers: { 'retry-after': '600' } } as const;
    sandbox.fault({ endpoint: 'POST /v1/payout/pix', partner_code: code, fault });
    sandbox.fault({ endpoint: 'GET /v1/payouts', times: 10_000, fault: { effect: 'none', status: 503 } });
    const payout = await payouts.start(code);
    await clock.pass('2 hours');
    expect(payouts.madeCodes(code)).toEqual([]);
    sandbox.clearFaults();
    await payout.until(statusIs('claimed'));
    expect(payouts.madeCodes(code)).toEqual([code]);
  });
});

describe('a payout whose answered identifier no read finds', () => {
  test('is followed by the list', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.start(code, 'id-other');
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'done');
    const done = await payout.until(statusIs('done'));
    expect(done).toMatchObject({
      attention: null,
      attempts: [{ list_id: payouts.idOf(code) }],
    });
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('and that is not listed either needs attention within two hours, and takes the right one', async ({
    payouts,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code, 'id-other+unlisted');
    await payout.until(attentionIs('unreadable'), '5 minutes', 24);
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('NotParked');
    const serviceId = Number(payouts.idOf(code));
    const resolved = await payout.command('resolveSubmission', { service_id: serviceId, by: 'ana' });
    expect(resolved).toMatchObject({ service_id: String(serviceId) });
    await payout.until(attentionIs(null));
    expect(payouts.madeCodes(code)).toEqual([code]);
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

  test('has a payout that only the list shows followed by the list', async ({ payouts, sandbox }) => {
    const code = freshCode();
    sandbox.fault(listedAs(77, code, 'processing'));
    const payout = await payouts.start(code, 'accepted-then-dropped');
    await payout.until(statusIs('processing'));
    sandbox.clearFaults();
    sandbox.fault(listedAs(77, code, 'done'));
    expect(await payout.until(statusIs('done'))).toMatchObject({ attention: null });
    sandbox.clearFaults();
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('shows both identifiers of a payout, without attention', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    const other = 1_000_000 + Number(payouts.idOf(code));
    payouts.throttle(`${code}-r2`);
    sandbox.fault(listedAs(other, code, 'error'));
    await payout.command('retryPayout');
    const claimed = await payout.until(({ attempts }) => attempts[1]?.status === 'claimed');
    sandbox.clearFaults();
    expect(claimed).toMatchObject({ attention: null, attempts: [{ list_id: String(other) }, {}] });
    expect(payouts.madeCodes(code)).toEqual([code, `${code}-r2`]);
  });
});

describe('a payout that the service shows with another value for good', () => {
  test('is followed once an operator accepts that value', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.start(code, 'read-value-other-always');
    await payout.until(attentionIs('inconsistent_answer'));
    sandbox.setPayoutStatus(code, 'done');
    const wrong = payout.command('acknowledgeAttention', { accept_value: '1' }).catch(refusalOf);
    expect(await wrong).toBe('InvalidMessage');
    const accepted = await payout.command('acknowledgeAttention', { accept_value: 987_654.32, by: 'ana' });
    expect(accepted).toMatchObject({ attention: null });
    expect(await payout.until(statusIs('done'))).toMatchObject({ attention: null });
  });

  test('is retried although its list shows the value that was asked for', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.start(code, 'read-value-other-always');
    await payout.until(attentionIs('inconsistent_answer'));
    await payout.command('acknowledgeAttention', { accept_value: 987_654.32 });
    sandbox.setPayoutStatus(code, 'error');
    await payout.until(statusIs('error'));
    sandbox.fault({
      endpoint: 'POST /v1/payout/pix',
      partner_code: `${code}-r2`,
      fault: { effect: 'none', status: 422 },
    });
    await payout.command('retryPayout');
    // Nothing but the list shows whether the service made something of what it refused.
    await payout.until(statusIs('rejected'));
    await payout.command('retryPayout');
    await payout.until(({ attempts }) => attempts[2]?.status === 'claimed');
    expect(payouts.madeCodes(code)).toEqual([code, `${code}-r3`]);
  });
});
