import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode, pixPayout } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

const statusIs = (status: string) => (state: PayoutState) => state.status === status;
const attentionIs = (attention: string) => (state: PayoutState) => state.attention === attention;
const made = (code: string) =>
  rig.sandbox
    .ledger()
    .payouts.filter(({ partner_code: sent }) => sent === code || sent.startsWith(`${code}-r`))
    .map(({ partner_code: sent }) => sent);
const command = (handle: WorkflowHandle, name: string, message: object = {}) =>
  handle.executeUpdate<PayoutState, [object]>(name, { args: [message] });
const start = (code: string, tags = '', more: object = {}) =>
  rig.start('payout', `payout-${code}`, pixPayout(code, tags, more));

async function shownAs(code: string, ...statuses: string[]): Promise<WorkflowHandle> {
  const handle = await start(code);
  await rig.until(handle, statusIs('claimed'));
  for (const status of statuses) {
    rig.sandbox.setPayoutStatus(code, status);
    await rig.until(handle, statusIs(status), '3 hours');
  }
  return handle;
}

describe('a payout that came back', () => {
  test('is paid again only by who names the attempt, never by a batch that retries whatever failed', async () => {
    const code = freshCode();
    const handle = await shownAs(code, 'done', 'error');
    expect(await handle.query('state')).toMatchObject({ attention: 'payout_returned' });
    await command(handle, 'acknowledgeAttention', { reason: 'paid in cash' });
    expect(await handle.query('state')).toMatchObject({ attention: 'payout_failed' });

    expect(await command(handle, 'retryPayout').catch(refusalOf)).toBe('DecisionNeeded');
    await handle.signal('retryPayout', { reason: 'the bank was down' });
    await rig.env.sleep('2 days');
    expect(made(code)).toEqual([code]);

    await command(handle, 'retryPayout', { attempt: 1, reason: 'still owed' });
    await rig.until(handle, statusIs('claimed'));
    expect(made(code)).toEqual([code, `${code}-r2`]);
  });
});

describe('a payout whose former attempt came back', () => {
  test('is not paid again by a batch either, though its latest attempt was never done', async () => {
    const code = freshCode();
    const handle = await shownAs(code, 'error');
    await command(handle, 'retryPayout');
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(`${code}-r2`, 'error');
    await rig.until(handle, attentionIs('payout_failed'), '3 hours');
    for (const status of ['done', 'error']) {
      rig.sandbox.setPayoutStatus(code, status);
      await rig.until(handle, ({ attempts }: PayoutState) => attempts[0]?.status === status, '3 hours');
    }
    await command(handle, 'acknowledgeAttention', { reason: 'paid in cash' });
    await command(handle, 'acknowledgeAttention', { reason: 'seen' }).catch(refusalOf);
    expect(await command(handle, 'retryPayout').catch(refusalOf)).toBe('DecisionNeeded');
    await handle.signal('retryPayout');
    await rig.env.sleep('2 days');
    expect(made(code)).toEqual([code, `${code}-r2`]);
  });
});

describe('corrections that turn out not to be usable', () => {
  test('are forgotten: the next retry goes on from what was good', async () => {
    const code = freshCode();
    const handle = await shownAs(code, 'error');
    await command(handle, 'retryPayout', { corrections: { document: 'no number' } });
    await rig.until(handle, ({ attempts }: PayoutState) => attempts[1]?.status === 'never_sent');
    const corrected = { corrections: { pix: 'right@example.com' } };
    expect(await command(handle, 'retryPayout', corrected).catch(refusalOf)).toBe('DecisionNeeded');
    await command(handle, 'retryPayout', { ...corrected, attempt: 2 });
    await rig.until(handle, statusIs('claimed'));
    expect(made(code)).toEqual([code, `${code}-r3`]);
  });

  test('as they are of the other way to pay are refused at once', async () => {
    const code = freshCode();
    const handle = await shownAs(code, 'error');
    const refused = await command(handle, 'retryPayout', { corrections: { account: '1' } }).catch(refusalOf);
    expect(refused).toBe('InvalidMessage');
    expect(await handle.query('state')).toMatchObject({ attention: 'payout_failed', attempts: [{}] });
  });
});

describe('a further attempt that has to be sent again', () => {
  test('is not sent when the former one has turned done meanwhile', async () => {
    const code = freshCode();
    const handle = await shownAs(code, 'error');
    throttle(`${code}-r2`, 1);
    await command(handle, 'retryPayout');
    await rig.until(handle, throttled, '1 second');
    rig.sandbox.setPayoutStatus(code, 'done');
    const done = await rig.until(handle, statusIs('done'));
    expect(done.attempts).toMatchObject([{ status: 'done' }, { status: 'never_sent' }]);
    expect(made(code)).toEqual([code]);
  });

  test('is sent once the former one can be read again, and is still failed', async () => {
    const code = freshCode();
    const handle = await shownAs(code, 'error');
    throttle(`${code}-r2`, 1);
    await command(handle, 'retryPayout');
    await rig.until(handle, throttled, '1 second');
    rig.sandbox.fault({
      endpoint: 'GET /v1/payout/{id}',
      partner_code: code,
      times: 1,
      fault: { effect: 'none', status: 503 },
    });
    const state = await rig.until(handle, statusIs('claimed'));
    expect(state.timeline.map(({ what }) => what).join()).toContain('can not be read clearly');
    expect(made(code)).toEqual([code, `${code}-r2`]);
  });

  const throttled = ({ timeline }: PayoutState) =>
    timeline.some(({ what }) => what.includes('will be sent again'));
  function throttle(partnerCode: string, times: number): void {
    rig.sandbox.fault({
      endpoint: 'POST /v1/payout/pix',
      partner_code: partnerCode,
      times,
      fault: { effect: 'none', status: 429 },
    });
  }
});

describe('a payout that the list holds, but not so that it can be followed', () => {
  test('calls a person with these words, and is not declared as not having happened', async () => {
    const code = freshCode();
    rig.sandbox.fault({
      endpoint: 'GET /v1/payouts',
      times: 100,
      fault: {
        status: 200,
        body: { payouts: [{ partner_code: code, status: 'claimed', value: 150.25 }], total_pages: 1 },
      },
    });
    const handle = await start(code, 'accepted-then-dropped');
    const unknown = await rig.until(handle, statusIs('submission_unknown'));
    expect(unknown.attention).toBe('inconsistent_answer');
    expect(unknown.timeline.map(({ what }) => what).join()).toContain('holds it, but without what it takes');
    const word = { nothing_happened: true, reason: 'I saw nothing' };
    expect(await command(handle, 'resolveSubmission', word).catch(refusalOf)).toBe('InvalidMessage');
    rig.sandbox.clearFaults();
  });
});

describe('a payout whose list can not be read', () => {
  test('calls a person when the scans should have been over', async () => {
    const code = freshCode();
    rig.sandbox.fault({
      endpoint: 'GET /v1/payouts',
      times: 10_000,
      fault: { effect: 'none', status: 503 },
    });
    const handle = await start(code, 'accepted-then-dropped');
    const unknown = await rig.until(handle, attentionIs('submission_unknown'), '1 minute', 60);
    expect(unknown.attention_detail).toContain('could not be read completely');
    rig.sandbox.clearFaults();
  });
});

describe('an abandoned payout', () => {
  test('that moves again calls a person, and is watched for as long as it moves', async () => {
    const code = freshCode();
    const handle = await shownAs(code, 'error');
    await command(handle, 'abandonPayout', { reason: 'paid in cash' });
    rig.sandbox.setPayoutStatus(code, 'processing');
    await rig.until(handle, attentionIs('inconsistent_answer'), '1 day');
    await command(handle, 'acknowledgeAttention', { reason: 'seen' });
    await rig.env.sleep('30 days');
    expect(await handle.query('state')).toMatchObject({ closed: false });
    rig.sandbox.setPayoutStatus(code, 'error');
    await rig.until(handle, ({ attempts }: PayoutState) => attempts[0]?.status === 'error', '1 day');
    expect(await rig.result<PayoutState>(handle)).toMatchObject({ status: 'abandoned', closed: true });
  });
});

describe('a person who resolves a submission', () => {
  test('by the identifier of another payout of the same value is refused: the list tells whose it is', async () => {
    const [code, other] = [freshCode(), freshCode()];
    await shownAs(other, 'error');
    const handle = await start(code, 'dropped-before');
    await rig.until(handle, statusIs('submission_unknown'));
    const theirs = rig.sandbox.ledger(other).payouts[0]?.id;
    const refused = await command(handle, 'resolveSubmission', { service_id: String(theirs) }).catch(
      refusalOf,
    );
    expect(refused).toBe('InvalidMessage');
    expect(await handle.query('state')).toMatchObject({ status: 'submission_unknown', service_id: null });
  });
});
