import { describe, expect } from 'vitest';
import { statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

describe('the answer to an account validation', () => {
  test.for(['valid', 'invalid'])(
    'comes by postback, is kept as it came (%s), and is not verified',
    async (word, { validations }) => {
      const code = freshCode();
      const validation = await validations.requested(code);
      const body = {
        id: validations.made(code)[0]?.id,
        status: word,
        partner_code: code,
        type: 'account_validation',
      };
      await validation.postback(body);
      expect(await validation.result('1 second', 10)).toMatchObject({
        status: 'answered',
        closed: true,
        attention: null,
        value: null,
        answer: { source: 'postback', verified: false, body },
      });
      expect(validations.made(code)).toHaveLength(1);
    },
  );

  test('comes in the response when that already holds it', async ({ validations, sandbox }) => {
    const code = freshCode();
    const fault = { status: 200, body: { id: '77', valid: true } };
    sandbox.fault({ endpoint: 'POST /v1/account/validate', partner_code: code, fault });
    expect(await (await validations.start(code)).result('1 second', 10)).toMatchObject({
      status: 'answered',
      answer: { source: 'response', verified: false, body: { id: '77', valid: true } },
    });
  });

  test('goes on being awaited after an empty postback, as a bare client may send it', async ({
    validations,
  }) => {
    const code = freshCode();
    const validation = await validations.requested(code);
    await validation.signal('postbackReceived');
    await validation.postback({ status: 'valid', partner_code: code });
    expect(await validation.result('1 second', 10)).toMatchObject({ status: 'answered' });
  });

  test('that is not clear stands until the deadline, and gives way to a clear one', async ({
    validations,
  }) => {
    const code = freshCode();
    const validation = await validations.requested(code);
    await validation.postback('account seen');
    const state = await validation.until(statusIs('answered'), '1 second');
    expect(state.answer).toEqual({ source: 'postback', verified: false, body: 'account seen' });
    expect(state.closed).toBe(false);
    await validation.postback({ result: 'approved' });
    expect(await validation.result('1 second', 10)).toMatchObject({
      answer: { body: { result: 'approved' } },
    });
  });

  test('is not a postback that reports it as under way, or one of another validation', async ({
    validations,
    clock,
  }) => {
    const code = freshCode();
    const validation = await validations.requested(code);
    await validation.postback({ status: 'processing' });
    await validation.postback({ status: 'valid', partner_code: 'another' });
    await validation.postback({ status: 'valid', id: 'another' });
    await clock.sleep('1 minute');
    expect(await validation.state()).toMatchObject({
      status: 'awaiting_answer',
      answer: { body: { status: 'processing' } },
    });
  });

  test('that never comes leaves it unanswered after three days, without any postback', async ({
    validations,
    clock,
  }) => {
    const code = freshCode();
    const validation = await validations.requested(code);
    await clock.sleep('71 hours');
    expect(await validation.state()).toMatchObject({ status: 'awaiting_answer' });
    const result = await validation.result('1 hour', 3);
    expect(result).toMatchObject({ status: 'unanswered', closed: true, answer: { source: 'response' } });
  });
});

describe('an account validation', () => {
  test.for(['accepted-then-dropped', '500-after', 'html'])(
    'of unknown outcome after %s is never sent again, and a postback can still answer it',
    async (tag, { validations, clock }) => {
      const code = freshCode();
      const validation = await validations.start(code, tag);
      await validation.until(statusIs('submission_unknown'), '1 second');
      await clock.sleep('1 day');
      expect(validations.made(code)).toHaveLength(1);
      await validation.postback({ status: 'valid', partner_code: code });
      expect(await validation.result('1 second', 10)).toMatchObject({ status: 'answered' });
    },
  );

  test('of unknown outcome that nobody answers ends unanswered', async ({ validations }) => {
    const validation = await validations.start(freshCode(), 'dropped-before');
    const result = await validation.result('1 day');
    expect(result).toMatchObject({ status: 'unanswered', answer: null });
  });

  test.for(['429', 'nested', 'id-absent', 'status-absent', '204'])(
    'goes on after the answer %s',
    async (tag, { validations }) => {
      const code = freshCode();
      await validations.requested(code, tag);
      expect(validations.made(code)).toHaveLength(1);
    },
  );

  test('that the service refuses is rejected with its words', async ({ validations }) => {
    const result = await (await validations.start(freshCode(), '422-text')).result();
    expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true });
    expect(result.refusal).toContain('422');
  });

  test('with an unusable input is rejected', async ({ validations }) => {
    const result = await (await validations.start(freshCode(), '', { document: '1' })).result();
    expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input', closed: true });
  });

  test('is cancelled while it waits to be sent again', async ({ validations }) => {
    const first = await validations.start(freshCode(), '429-always');
    await first.until(({ timeline }) => timeline.length > 0, '1 second');
    await first.cancel();
    const cancelled = await first.result();
    expect(cancelled).toMatchObject({ status: 'cancelled' });
    expect(cancelled.timeline.at(-1)?.what).toBe('Cancelled. The service had answered that it did nothing.');
  });
});
