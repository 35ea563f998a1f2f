import { describe, expect } from 'vitest';
import type { Sandbox } from '../../src/dev/sandbox/server.js';
import { listShows, listed } from '../support/listed-payouts.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('an identifier that an operator names for a payout of unknown outcome', () => {
  test('is refused when the list shows it under the code of a payout that nobody here knows', async ({
    payouts,
    sandbox,
  }) => {
    const payout = await payouts.start(freshCode(), 'dropped-before');
    await payout.until(statusIs('submission_unknown'));
    listShows(sandbox, listed(77, freshCode()));
    const named = payout.command('resolveSubmission', { service_id: 77, by: 'ana' });
    expect(await named.catch(refusalOf)).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject({ status: 'submission_unknown', service_id: null });
  });

  test('is taken once its other value is accepted, also by an operator who had acknowledged that alone', async ({
    payout,
    sandbox,
  }) => {
    await payout.start('dropped-before');
    await payout.until(statusIs('submission_unknown'));
    listShows(sandbox, listed(77, payout.code, { value: 99 }));
    const named = () => payout.command('resolveSubmission', { service_id: 77, by: 'ana' });
    for (let time = 0; time < 2; time += 1) {
      expect(await named().catch(refusalOf)).toBe('InvalidMessage');
      expect(await payout.state()).toMatchObject({
        status: 'submission_unknown',
        service_id: null,
        attention: 'inconsistent_answer',
      });
      await payout.command('acknowledgeAttention', { attention: 'inconsistent_answer', by: 'ana' });
      expect(await payout.state()).toMatchObject({ attention: 'submission_unknown' });
    }
    expect(await named().catch(refusalOf)).toBe('InvalidMessage');
    const accepted = { attention: 'inconsistent_answer', accept_value: 99, by: 'ana' };
    await payout.command('acknowledgeAttention', accepted);
    expect(await named()).toMatchObject({ service_id: '77', attention: null });
    expect(payout.madeCodes()).toEqual([]);
  });

  test('is taken when the list had shown it under the code of the payout, though the service has lost it; that nothing had happened is not', async ({
    payout,
    sandbox,
  }) => {
    await payout.start('dropped-before');
    await payout.until(statusIs('submission_unknown'));
    listShows(sandbox, listed(77, payout.code));
    const other = payout.command('resolveSubmission', { service_id: 78, by: 'ana' });
    expect(await other.catch(refusalOf)).toBe('CouldNotRead');
    payout.service.recovers();
    const denied = payout.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(await denied.catch(refusalOf)).toBe('InvalidMessage');
    const unknown = { status: 'submission_unknown', attention: 'submission_unknown' };
    expect(await payout.state()).toMatchObject(unknown);
    await payout.command('resolveSubmission', { service_id: 77, by: 'ana' });
    expect(await payout.after('3 hours')).toMatchObject({ service_id: '77', attention: 'unreadable' });
    await payout.command('acknowledgeAttention', { attention: 'unreadable', by: 'ana' });
    expect(await payout.state()).toMatchObject({ attention: null });
    expect(payout.madeCodes()).toEqual([]);
  });

  test('is refused when the list holds the payout under another one', async ({ payout, sandbox }) => {
    await payout.start('accepted-then-dropped+unlisted');
    await payout.until(statusIs('submission_unknown'));
    listShows(sandbox, listed(77, payout.code));
    const service_id = payout.id();
    const named = payout.command('resolveSubmission', { service_id, by: 'ana' });
    expect(await named.catch(refusalOf)).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject({ status: 'submission_unknown', service_id: null });
  });

  test('is taken in other capitals than those of the list, and followed by those of the list', async ({
    payout,
    sandbox,
  }) => {
    await payout.start('dropped-before');
    await payout.until(statusIs('submission_unknown'));
    const uuid = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
    listShows(sandbox, listed(uuid, payout.code));
    const named = { service_id: uuid.toUpperCase(), by: 'ana' };
    expect(await payout.command('resolveSubmission', named)).toMatchObject({
      ...{ status: 'processing', attention: null, service_id: uuid },
    });
  });

  test('is refused while the list can not be read: the list alone shows whose it is', async ({ payout }) => {
    await payout.start('accepted-then-dropped+unlisted');
    await payout.until(statusIs('submission_unknown'));
    payout.service.fails('GET /v1/payouts');
    const message = { service_id: payout.id(), by: 'ana' };
    expect(await payout.command('resolveSubmission', message).catch(refusalOf)).toBe('CouldNotRead');
    payout.service.recovers();
    expect(await payout.command('resolveSubmission', message)).toMatchObject({ attention: null });
  });

  test('is refused when a previous attempt has it, though no list shows whose it is', async ({ payout }) => {
    await payout.failed('unlisted');
    payout.service.answers(
      'POST /v1/payout/pix',
      { effect: 'none', drop: true },
      { of: `${payout.code}-r2` },
    );
    await payout.command('retryPayout');
    await payout.until(statusIs('submission_unknown'));
    const service_id = payout.id();
    const named = payout.command('resolveSubmission', { service_id, by: 'ana' });
    expect(await named.catch(refusalOf)).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject({ status: 'submission_unknown', attempts: [{}, {}] });
  });
});

test('a payout that the list holds as failed and as moving is taken for moving, and needs attention', async ({
  payout,
  sandbox,
}) => {
  listShows(sandbox, listed(77, payout.code, { status: 'error' }), listed(78, payout.code));
  await payout.start('accepted-then-dropped');
  const found = await payout.until(statusIs('processing'), '1 minute', 10);
  expect(found).toMatchObject({ attention: 'inconsistent_answer', service_id: '78' });
  expect(await payout.command('retryPayout').catch(refusalOf)).toBe('NotParked');
  payout.service.recovers();
  expect(payout.madeCodes()).toEqual([payout.code]);
});

describe('that nothing had happened', () => {
  const unreadable = (sandbox: Sandbox, partner_code: string) => {
    const fault = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint: 'GET /v1/payout/{id}', partner_code, times: 1_000, fault });
  };

  test('is refused of an identifier that a fresh read shows, and what it shows is followed', async ({
    payout,
    sandbox,
  }) => {
    unreadable(sandbox, payout.code);
    await payout.start('unlisted');
    expect(await payout.after('3 hours')).toMatchObject({ attention: 'unreadable', status: 'claimed' });
    payout.service.recovers();
    const named = payout.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(await named.catch(refusalOf)).toBe('AlreadyMoving');
    await payout.until(({ attention }) => attention === null, '1 second', 10);
    expect((await payout.state()).commands).toEqual([]);
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('is refused of a payout that the list shows, though no read by its identifier does', async ({
    payout,
    sandbox,
  }) => {
    unreadable(sandbox, payout.code);
    await payout.start();
    await payout.after('3 hours');
    const named = payout.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(await named.catch(refusalOf)).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject({ status: 'claimed' });
  });
});

describe('a payout that failed, and of which a read shows another value', () => {
  const showsAnotherValue = (sandbox: Sandbox, partner_code: string, times: number) => {
    const body = { status: 'error', value: 99 };
    sandbox.fault({
      ...{ endpoint: 'GET /v1/payout/{id}', partner_code, times },
      fault: { status: 200, body },
    });
  };

  test('is not paid again before an operator has seen that, though the next read fits', async ({
    payout,
    sandbox,
  }) => {
    await payout.failed();
    showsAnotherValue(sandbox, payout.code, 1);
    await payout.signal('statusHint', { source: 'test' });
    await payout.until(attentionIs('inconsistent_answer'), '1 second', 10);
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('CouldNotRead');
    expect(payout.madeCodes()).toEqual([payout.code]);
    await payout.command('acknowledgeAttention', { by: 'ana' });
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
  });

  test('is not paid again as long as it does, though an operator has seen it', async ({
    payout,
    sandbox,
  }) => {
    await payout.failed();
    showsAnotherValue(sandbox, payout.code, 100);
    await payout.signal('statusHint', { source: 'test' });
    await payout.until(attentionIs('inconsistent_answer'), '1 second', 10);
    await payout.command('acknowledgeAttention', { by: 'ana' });
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('CouldNotRead');
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('while its next attempt waits to be sent is not paid again before a read fits', async ({
    payout,
    sandbox,
  }) => {
    await payout.failed();
    payout.throttle(`${payout.code}-r2`);
    await payout.command('retryPayout');
    showsAnotherValue(sandbox, payout.code, 100);
    await payout.after('2 hours');
    expect(payout.madeCodes()).toEqual([payout.code]);
    payout.service.recovers();
    await payout.until(({ attempts }) => attempts[1]?.status === 'claimed');
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r2`]);
  });
});
