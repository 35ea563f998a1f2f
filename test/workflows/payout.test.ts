import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { refusalOf } from '../support/refusal.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { freshCode, pixPayout, transferPayout } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

const start = (code: string, tags = '', more: object = {}) =>
  rig.start('payout', `payout-${code}`, pixPayout(code, tags, more));
const statusIs = (status: string) => (state: PayoutState) => state.status === status;
const attentionIs = (attention: string | null) => (state: PayoutState) => state.attention === attention;
const made = (code: string) =>
  rig.sandbox
    .ledger()
    .payouts.filter(({ partner_code: sent }) => sent === code || sent.startsWith(`${code}-r`));
const command = (handle: WorkflowHandle, name: string, message: object = {}) =>
  handle.executeUpdate<PayoutState, [object]>(name, { args: [message] });

/** A payout whose first attempt the service shows as failed. */
async function failedPayout(code: string, tags = ''): Promise<WorkflowHandle> {
  const handle = await start(code, tags);
  await rig.until(handle, statusIs('claimed'));
  rig.sandbox.setPayoutStatus(code, 'error');
  await rig.until(handle, attentionIs('payout_failed'));
  return handle;
}

describe('a payout that goes well', () => {
  test('is submitted, followed by reads alone, and ends done at the end of its watch', async () => {
    const code = freshCode();
    const handle = await start(code);
    const claimed = await rig.until(handle, statusIs('claimed'));
    expect(claimed).toMatchObject({ attention: null, attempts: [{ number: 1, partner_code: code }] });
    rig.sandbox.setPayoutStatus(code, 'processing');
    await rig.until(handle, statusIs('processing'));
    rig.sandbox.setPayoutStatus(code, 'done');
    const result = await rig.result<PayoutState>(handle);
    expect(result).toMatchObject({ status: 'done', closed: true, attention: null, value: 150.25 });
    expect(made(code)).toHaveLength(1);
  });

  test('by bank transfer, with watch_days 0, closes as soon as it is done', async () => {
    const code = freshCode();
    const handle = await rig.start('payout', `payout-${code}`, transferPayout(code, { watch_days: 0 }));
    await rig.until<PayoutState>(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'done');
    expect(await rig.result<PayoutState>(handle)).toMatchObject({ status: 'done', method: 'transfer' });
  });

  test('that is not done by its deadline calls a person, and takes the call back when it is done', async () => {
    const code = freshCode();
    const handle = await start(code);
    await rig.until(handle, attentionIs('overdue'), '6 hours');
    rig.sandbox.setPayoutStatus(code, 'done');
    await rig.until(
      handle,
      (state: PayoutState) => state.status === 'done' && state.attention === null,
      '6 hours',
    );
  });
});

describe('a payout that fails', () => {
  test('waits for a person, is retried with a corrected key as -r2, and is done', async () => {
    const code = freshCode();
    const handle = await failedPayout(code);
    const failed = await handle.query<PayoutState>('state');
    expect(failed.attention_detail).toContain('retryPayout');

    const retried = await command(handle, 'retryPayout', {
      attempt: 1,
      corrections: { pix: 'right@example.com' },
      reason: 'wrong key',
      by: 'ana',
    });
    expect(retried).toMatchObject({
      attempts: [{}, {}],
      awaiting: 'the outcome of the step under way',
    });
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(`${code}-r2`, 'done');
    const done = await rig.until(handle, statusIs('done'));
    expect(done.attention).toBeNull();
    expect(done.attempts.map(({ partner_code: sent, status }) => [sent, status])).toEqual([
      [code, 'error'],
      [`${code}-r2`, 'done'],
    ]);
    expect(done.timeline.find(({ by }) => by === 'ana')).toMatchObject({ reason: 'wrong key' });
    expect(JSON.stringify(done.timeline)).not.toContain('right@example.com');
    expect(await rig.result<PayoutState>(handle)).toMatchObject({ status: 'done', closed: true });
  });

  test('is retried by the signal that a batch operation sends, without any input', async () => {
    const code = freshCode();
    const handle = await failedPayout(code);
    await handle.signal('retryPayout');
    await rig.until(
      handle,
      (state: PayoutState) => state.attempts.length === 2 && state.status === 'claimed',
    );
    expect(made(code)).toHaveLength(2);
  });

  test('is retried once by two commands at the same time', async () => {
    const code = freshCode();
    const handle = await failedPayout(code);
    const answers = await Promise.all([
      command(handle, 'retryPayout').catch(refusalOf),
      command(handle, 'retryPayout').catch(refusalOf),
    ]);
    expect(answers).toContain('NotParked');
    await rig.until(handle, statusIs('claimed'));
    expect(made(code)).toHaveLength(2);
  });

  test('and turns done before the retry is not paid again: a fresh read comes first', async () => {
    const code = freshCode();
    const handle = await failedPayout(code);
    rig.sandbox.setPayoutStatus(code, 'done');
    expect(await command(handle, 'retryPayout').catch(refusalOf)).toBe('AlreadyMoving');
    const state = await handle.query<PayoutState>('state');
    expect(state).toMatchObject({ status: 'done', attention: null });
    expect(state.timeline.map(({ what }) => what)).toContainEqual(
      expect.stringContaining('Refused (retryPayout)'),
    );
    expect(made(code)).toHaveLength(1);
  });

  test('is not retried while a former attempt can not be read', async () => {
    const code = freshCode();
    const handle = await failedPayout(code);
    rig.sandbox.fault({
      endpoint: 'GET /v1/payout/{id}',
      partner_code: code,
      times: 1,
      fault: { effect: 'none', status: 503 },
    });
    expect(await command(handle, 'retryPayout').catch(refusalOf)).toBe('CouldNotRead');
    expect(made(code)).toHaveLength(1);
  });

  test('refuses corrections of its value, of unknown fields, and of another attempt', async () => {
    const code = freshCode();
    const handle = await failedPayout(code);
    const refused = (message: object) => command(handle, 'retryPayout', message).catch(refusalOf);
    expect(await refused({ corrections: { value: 1 } })).toBe('InvalidMessage');
    expect(await refused({ corrections: { note: 'x' } })).toBe('InvalidMessage');
    expect(await refused({ attempt: 2 })).toBe('WrongAttempt');
    expect(made(code)).toHaveLength(1);
  });

  test('whose correction is no pix key sends nothing and waits again', async () => {
    const code = freshCode();
    const handle = await failedPayout(code);
    await command(handle, 'retryPayout', { corrections: { pix: 'no key at all' } });
    const parked = await rig.until(
      handle,
      (state: PayoutState) => state.attempts[1]?.status === 'never_sent',
    );
    expect(parked).toMatchObject({
      attention: 'payout_failed',
      attempts: [{}, { error: expect.stringContaining('pix') as string }],
    });
    expect(made(code)).toHaveLength(1);
  });

  test('can be abandoned, and calls a person when it is done after all', async () => {
    const code = freshCode();
    const handle = await failedPayout(code);
    const abandoned = await command(handle, 'abandonPayout', { reason: 'paid in cash', by: 'rui' });
    expect(abandoned).toMatchObject({ status: 'abandoned', attention: null });
    rig.sandbox.setPayoutStatus(code, 'done');
    await rig.until(handle, attentionIs('inconsistent_answer'), '1 day');
    expect(await command(handle, 'acknowledgeAttention', { by: 'rui' })).toMatchObject({ attention: null });
    expect(await rig.result<PayoutState>(handle)).toMatchObject({ status: 'done' });
  });

  test('calls a person when two attempts turn out to be done', async () => {
    const code = freshCode();
    const handle = await failedPayout(code);
    await command(handle, 'retryPayout');
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(`${code}-r2`, 'done');
    await rig.until(handle, statusIs('done'));
    rig.sandbox.setPayoutStatus(code, 'done');
    await rig.until(handle, attentionIs('paid_twice'), '1 day');
  });

  test('calls a person when it was done and is returned', async () => {
    const code = freshCode();
    const handle = await start(code);
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'done');
    await rig.until(handle, statusIs('done'));
    rig.sandbox.setPayoutStatus(code, 'error');
    await rig.until(handle, attentionIs('payout_returned'), '1 day');
  });

  test('because the service refused it shows the words and can be retried after a scan', async () => {
    const code = freshCode();
    const handle = await start(code, '422');
    const refused = await rig.until(handle, statusIs('rejected'));
    expect(refused).toMatchObject({
      attention: 'payout_failed',
      refusal: expect.stringContaining('422') as string,
    });
    const scansBefore = rig.sandbox.ledger().calls['GET /v1/payouts'] ?? 0;
    await command(handle, 'retryPayout', { corrections: { pix: 'right@example.com' } });
    await rig.until(handle, statusIs('claimed'));
    expect(rig.sandbox.ledger().calls['GET /v1/payouts']).toBe(scansBefore + 1);
  });
});

describe('a payout of unknown fate', () => {
  test('that was accepted and then dropped is found by a scan and made once', async () => {
    const code = freshCode();
    const handle = await start(code, 'accepted-then-dropped');
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'done');
    await rig.until(handle, statusIs('done'));
    expect(made(code)).toHaveLength(1);
  });

  test.for([
    'truncated',
    'html',
    'empty',
    '500-after',
    '504-after',
    'id-absent',
    'id-unsafe',
    '204',
    '307-after',
    '409-after',
  ])('is found by a scan after the answer %s', async (tag) => {
    const code = freshCode();
    const handle = await start(code, tag);
    await rig.until(handle, statusIs('claimed'));
    expect(made(code)).toHaveLength(1);
  });

  test('that scans never find calls a person, who can say that nothing had happened', async () => {
    const code = freshCode();
    const handle = await start(code, 'dropped-before');
    const unknown = await rig.until(handle, statusIs('submission_unknown'));
    expect(unknown.attention).toBe('submission_unknown');
    expect(await command(handle, 'retryPayout').catch(refusalOf)).toBe('NotParked');
    const resolved = await command(handle, 'resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(resolved).toMatchObject({ status: 'rejected', attention: 'payout_failed' });
    await command(handle, 'retryPayout', { corrections: { pix: 'maria.silva@example.com' } });
    await rig.until(handle, statusIs('claimed'));
    expect(made(code).map(({ partner_code: sent }) => sent)).toEqual([`${code}-r2`]);
  });

  test('that a person says is not paid is not paid again when a scan finds it after all', async () => {
    const code = freshCode();
    const handle = await start(code, 'accepted-then-dropped+listed-late');
    await rig.until(handle, statusIs('submission_unknown'));
    await command(handle, 'resolveSubmission', { nothing_happened: true });
    rig.sandbox.hurry();
    expect(await command(handle, 'retryPayout').catch(refusalOf)).toBe('AlreadyMoving');
    expect(await handle.query('state')).toMatchObject({ status: 'claimed' });
    expect(made(code)).toHaveLength(1);
  });

  test('can be resolved by the identifier that a person found, if it fits', async () => {
    const code = freshCode();
    const other = freshCode();
    await start(other, '', { value: 7 });
    const handle = await start(code, 'accepted-then-dropped+unlisted');
    await rig.until(handle, statusIs('submission_unknown'));
    const idOf = (wanted: string) => String(made(wanted)[0]?.id);
    const wrong = await command(handle, 'resolveSubmission', { service_id: idOf(other) }).catch(refusalOf);
    expect(wrong).toBe('InvalidMessage');
    const resolved = await command(handle, 'resolveSubmission', { service_id: idOf(code), by: 'ana' });
    expect(resolved).toMatchObject({ status: 'claimed', service_id: idOf(code) });
  });
});

describe('a transfer that has the account validated first', () => {
  const validated = (code: string, more: object = {}) =>
    rig.start('payout', `payout-${code}`, transferPayout(code, { validate_account: true, ...more }));
  const answer = (handle: WorkflowHandle, status: string, code: string) =>
    handle.signal('postbackReceived', {
      received_at: new Date().toISOString(),
      content_type: 'application/json',
      body: JSON.stringify({ status, partner_code: code }),
    });
  const asked = (code: string) =>
    rig.sandbox.until(({ validations }) => validations.some(({ partner_code: sent }) => sent === code));

  test('is sent once the answer is clearly in favour of it', async () => {
    const code = freshCode();
    const handle = await validated(code);
    await asked(code);
    expect(made(code)).toHaveLength(0);
    await answer(handle, 'valid', code);
    await rig.until(handle, statusIs('claimed'));
    expect(made(code)).toHaveLength(1);
  });

  test.for(['invalid', 'maybe'])('is not sent on the answer %s, and a person decides', async (word) => {
    const code = freshCode();
    const handle = await validated(code);
    await asked(code);
    await answer(handle, word, code);
    const stopped = await rig.until(handle, attentionIs('payout_failed'), '12 hours');
    expect(stopped.attempts[0]).toMatchObject({ status: 'never_sent' });
    expect(made(code)).toHaveLength(0);
    expect(await command(handle, 'retryPayout', { reason: 'a batch' }).catch(refusalOf)).toBe(
      'DecisionNeeded',
    );
    await handle.signal('retryPayout');
    await command(handle, 'retryPayout', { attempt: 1, reason: 'the payee confirmed the account' });
    await rig.until(handle, statusIs('claimed'));
    expect(made(code).map(({ partner_code: sent }) => sent)).toEqual([`${code}-r2`]);
  });

  test('is not sent when no answer comes in time', async () => {
    const code = freshCode();
    const handle = await validated(code);
    await rig.until(handle, attentionIs('payout_failed'), '12 hours');
    expect(made(code)).toHaveLength(0);
  });
});

describe('answers that do not fit', () => {
  test('an unknown status calls a person and never ends anything', async () => {
    const code = freshCode();
    const handle = await start(code);
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'under_review');
    await rig.until(handle, attentionIs('unrecognised_status'));
    rig.sandbox.setPayoutStatus(code, 'done');
    await rig.until(handle, (state: PayoutState) => state.status === 'done' && state.attention === null);
  });

  test.for(['read-value-other-always', 'read-id-other-always'])(
    'a read with %s calls a person and is not believed',
    async (tag) => {
      const code = freshCode();
      const handle = await start(code, tag);
      rig.sandbox.setPayoutStatus(await rig.until(handle, statusIs('claimed')).then(() => code), 'done');
      const state = await rig.until(handle, attentionIs('inconsistent_answer'));
      expect(state.status).toBe('claimed');
    },
  );

  test.for(['id-integer', 'nested', 'status-absent', 'status-upper', 'extra-fields', '201', '202'])(
    'the answer %s works as if it were usual',
    async (tag) => {
      const code = freshCode();
      const handle = await start(code, tag);
      await rig.until(handle, statusIs('claimed'));
      rig.sandbox.setPayoutStatus(code, 'done');
      await rig.until(handle, statusIs('done'));
      expect(made(code)).toHaveLength(1);
    },
  );

  test.for(['401', '403', '429'])(
    'the answer %s, which did nothing, is followed by another try',
    async (tag) => {
      const code = freshCode();
      const handle = await start(code, tag);
      await rig.until(handle, statusIs('claimed'));
      expect(made(code)).toHaveLength(1);
    },
  );
});

describe('hints', () => {
  test('a postback makes the next read due at once, many make one, and none is believed', async () => {
    const code = freshCode();
    const handle = await start(code);
    await rig.until(handle, statusIs('claimed'), '2 hours');
    await rig.env.sleep('2 hours');
    const reads = () => rig.sandbox.ledger().calls['GET /v1/payout/{id}'] ?? 0;
    const before = reads();
    const postback = { received_at: new Date().toISOString(), content_type: null, body: '{"status":"done"}' };
    await Promise.all(Array.from({ length: 20 }, () => handle.signal('postbackReceived', postback)));
    const state = await rig.until(
      handle,
      (shown: PayoutState) => shown.last_read?.cause === 'postback',
      '1 second',
    );
    expect(state.status).toBe('claimed');
    expect(reads() - before).toBeLessThan(4);
  });
});

describe('a caller who waits', () => {
  test('is answered when the status comes, and the sixth at once is refused', async () => {
    const code = freshCode();
    const handle = await start(code);
    await rig.until(handle, statusIs('claimed'));
    const wait = () =>
      command(handle, 'awaitStatus', { statuses: ['done'], timeout_seconds: 30 }).catch(refusalOf);
    const waits = Array.from({ length: 6 }, wait);
    expect(await Promise.race(waits)).toBe('TooManyWaiting');
    rig.sandbox.setPayoutStatus(code, 'done');
    await handle.signal('statusHint', { source: 'test' });
    const answers = await Promise.all(waits);
    expect(answers.filter((answer) => answer !== 'TooManyWaiting')).toHaveLength(5);
    for (const answer of answers) if (typeof answer !== 'string') expect(answer.status).toBe('done');
  });
});

describe('a cancel request', () => {
  test('before anything was sent ends the payout as cancelled', async () => {
    const code = freshCode();
    rig.sandbox.fault({
      endpoint: 'POST /v1/payout/pix',
      partner_code: code,
      times: 50,
      fault: { effect: 'none', status: 429 },
    });
    const handle = await start(code);
    await rig.until(handle, (state: PayoutState) => state.timeline.length > 0, '1 second');
    await handle.cancel();
    expect(await rig.result<PayoutState>(handle)).toMatchObject({ status: 'cancelled', closed: true });
    expect(made(code)).toHaveLength(0);
  });

  test('after the submission is noted and changes nothing', async () => {
    const code = freshCode();
    const handle = await start(code);
    await rig.until(handle, statusIs('claimed'));
    await handle.cancel();
    rig.sandbox.setPayoutStatus(code, 'done');
    const result = await rig.result<PayoutState>(handle);
    expect(result.status).toBe('done');
    expect(result.timeline.some(({ what }) => what.includes('cancel request'))).toBe(true);
  });
});

describe('a start that must not be', () => {
  const refused = async (code: string, workflowId: string, input: unknown, options = {}) => {
    const handle = await rig.start('payout', workflowId, input, options);
    const result = await rig.result<PayoutState>(handle);
    expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input', closed: true });
    expect(made(code)).toHaveLength(0);
    return result;
  };

  test('under an id that is not its own', async () => {
    const code = freshCode();
    await refused(code, `other-${code}`, pixPayout(code));
  });

  test('with a retry policy, which would pay again', async () => {
    const code = freshCode();
    await refused(code, `payout-${code}`, pixPayout(code), { retry: { maximumAttempts: 3 } });
  });

  test.for([
    ['nothing at all', undefined],
    ['a text', 'pay me'],
    ['a value with three decimals', { value: 1.001 }],
    ['an unknown field', { credit_card: { number: '4111111111111111' } }],
    ['a malformed CPF', { document: '52998224726' }],
  ] as const)('with %s', async ([, change]) => {
    const code = freshCode();
    const input = typeof change === 'object' ? pixPayout(code, '', change) : change;
    const result = await refused(code, `payout-${code}`, input);
    expect(JSON.stringify(result)).not.toContain('4111111111111111');
  });
});
