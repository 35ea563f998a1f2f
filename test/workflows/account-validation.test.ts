import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AccountValidationState } from '../../src/contract/state.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { accountValidation, freshCode } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

const start = (code: string, tags = '', more: object = {}) =>
  rig.start('accountValidation', `account-validation-${code}`, accountValidation(code, tags, more));
const statusIs = (status: string) => (state: AccountValidationState) => state.status === status;
const asked = async (code: string, tags = '') => {
  const handle = await start(code, tags);
  await rig.until(handle, statusIs('awaiting_answer'), '1 second');
  return handle;
};
const made = (code: string) => rig.sandbox.ledger(code).validations;
const postback = (handle: WorkflowHandle, body: unknown) =>
  handle.signal('postbackReceived', {
    received_at: new Date().toISOString(),
    content_type: null,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const answeredWith = async (handle: WorkflowHandle) =>
  rig.result<AccountValidationState>(handle, '1 second', 10);

describe('the answer to an account validation', () => {
  test.for(['valid', 'invalid'])(
    'comes by postback, is kept as it came (%s), and is not verified',
    async (word) => {
      const code = freshCode();
      const handle = await asked(code);
      const body = { id: made(code)[0]?.id, status: word, partner_code: code, type: 'account_validation' };
      await postback(handle, body);
      expect(await answeredWith(handle)).toMatchObject({
        status: 'answered',
        closed: true,
        attention: null,
        value: null,
        answer: { source: 'postback', verified: false, body },
      });
      expect(made(code)).toHaveLength(1);
    },
  );

  test('is awaited on when a postback says nothing at all, as a bare client may send it', async () => {
    const code = freshCode();
    const handle = await asked(code);
    await handle.signal('postbackReceived');
    await postback(handle, { status: 'valid', partner_code: code });
    expect(await answeredWith(handle)).toMatchObject({ status: 'answered' });
  });

  test('comes in the response when that already says it', async () => {
    const code = freshCode();
    rig.sandbox.fault({
      endpoint: 'POST /v1/account/validate',
      partner_code: code,
      fault: { status: 200, body: { id: '77', valid: true } },
    });
    const result = await answeredWith(await start(code));
    expect(result).toMatchObject({
      status: 'answered',
      answer: { source: 'response', verified: false, body: { id: '77', valid: true } },
    });
  });

  test('that says nothing clear stands until the deadline, and gives way to a clear one', async () => {
    const code = freshCode();
    const handle = await asked(code);
    await postback(handle, 'account seen');
    const state = await rig.until(handle, statusIs('answered'), '1 second');
    expect(state.answer).toEqual({ source: 'postback', verified: false, body: 'account seen' });
    expect(state.closed).toBe(false);
    await postback(handle, { result: 'approved' });
    expect(await answeredWith(handle)).toMatchObject({ answer: { body: { result: 'approved' } } });
  });

  test('is not what a postback says that it is still under way, or of another validation', async () => {
    const code = freshCode();
    const handle = await asked(code);
    await postback(handle, { status: 'processing' });
    await postback(handle, { status: 'valid', partner_code: 'another' });
    await postback(handle, { status: 'valid', id: 'another' });
    await rig.env.sleep('1 minute');
    expect(await handle.query('state')).toMatchObject({
      status: 'awaiting_answer',
      answer: { body: { status: 'processing' } },
    });
  });

  test('that never comes leaves it unanswered after three days, without any postback', async () => {
    const code = freshCode();
    const handle = await asked(code);
    await rig.env.sleep('71 hours');
    expect(await handle.query('state')).toMatchObject({ status: 'awaiting_answer' });
    const result = await rig.result<AccountValidationState>(handle, '1 hour', 3);
    expect(result).toMatchObject({ status: 'unanswered', closed: true, answer: { source: 'response' } });
  });
});

describe('an account validation', () => {
  test.for(['accepted-then-dropped', '500-after', 'html'])(
    'of unknown fate after %s is never asked for again, and a postback can still answer it',
    async (tag) => {
      const code = freshCode();
      const handle = await start(code, tag);
      await rig.until(handle, statusIs('submission_unknown'), '1 second');
      await rig.env.sleep('1 day');
      expect(made(code)).toHaveLength(1);
      await postback(handle, { status: 'valid', partner_code: code });
      expect(await answeredWith(handle)).toMatchObject({ status: 'answered' });
    },
  );

  test('of unknown fate that nobody answers ends unanswered', async () => {
    const handle = await start(freshCode(), 'dropped-before');
    const result = await rig.result<AccountValidationState>(handle, '1 day');
    expect(result).toMatchObject({ status: 'unanswered', answer: null });
  });

  test.for(['401', '429', 'nested', 'id-absent', 'status-absent', '204'])(
    'goes on after the answer %s',
    async (tag) => {
      const code = freshCode();
      await asked(code, tag);
      expect(made(code)).toHaveLength(1);
    },
  );

  test('that the service refuses is rejected with its words', async () => {
    const result = await rig.result<AccountValidationState>(await start(freshCode(), '422-text'));
    expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true });
    expect(result.refusal).toContain('422');
  });

  test('with an unusable input is rejected', async () => {
    const result = await rig.result<AccountValidationState>(await start(freshCode(), '', { document: '1' }));
    expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input', closed: true });
  });

  test('is cancelled before it is sent, and not afterwards', async () => {
    const first = await start(freshCode(), '429-always');
    await rig.until<AccountValidationState>(first, ({ timeline }) => timeline.length > 0, '1 second');
    await first.cancel();
    expect(await rig.result<AccountValidationState>(first)).toMatchObject({ status: 'cancelled' });
    const second = await asked(freshCode());
    await second.cancel();
    await postback(second, { status: 'valid' });
    expect(await answeredWith(second)).toMatchObject({ status: 'answered' });
  });
});
