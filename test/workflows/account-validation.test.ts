import { describe, expect } from 'vitest';
import { statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

describe('the answer to an account validation', () => {
  test.for(['valid', 'invalid'])(
    'comes by postback, is kept as it came (%s), and is not verified',
    async (word, { validation }) => {
      await validation.requested();
      const body = {
        id: validation.made()[0]?.id,
        status: word,
        partner_code: validation.code,
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
      expect(validation.made()).toHaveLength(1);
    },
  );

  test('comes in the response when that already holds it', async ({ validation }) => {
    validation.service.answers('POST /v1/account/validate', { status: 200, body: { id: '77', valid: true } });
    expect(await (await validation.start()).result('1 second', 10)).toMatchObject({
      status: 'answered',
      answer: { source: 'response', verified: false, body: { id: '77', valid: true } },
    });
  });

  test('goes on being awaited after an empty postback, as a bare client may send it', async ({
    validation,
  }) => {
    await validation.requested();
    await validation.signal('postbackReceived');
    await validation.postback({ status: 'valid', partner_code: validation.code });
    expect(await validation.result('1 second', 10)).toMatchObject({ status: 'answered' });
  });

  test('that is not clear stands until the deadline, and gives way to a clear one', async ({
    validation,
  }) => {
    await validation.requested();
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
    validation,
  }) => {
    await validation.requested();
    await validation.postback({ status: 'processing' });
    await validation.postback({ status: 'valid', partner_code: 'another' });
    await validation.postback({ status: 'valid', id: 'another' });
    expect(await validation.after('1 minute')).toMatchObject({
      status: 'awaiting_answer',
      answer: { body: { status: 'processing' } },
    });
  });

  test('that never comes leaves it unanswered after three days, without any postback', async ({
    validation,
  }) => {
    await validation.requested();
    expect(await validation.after('71 hours')).toMatchObject({ status: 'awaiting_answer' });
    const result = await validation.result('1 hour', 3);
    expect(result).toMatchObject({ status: 'unanswered', closed: true, answer: { source: 'response' } });
  });
});

describe('an account validation', () => {
  test.for(['accepted-then-dropped', '500-after', 'html'])(
    'of unknown outcome after %s is never sent again, and a postback can still answer it',
    async (tag, { validation }) => {
      await validation.start(tag);
      await validation.until(statusIs('submission_unknown'), '1 second');
      await validation.after('1 day');
      expect(validation.made()).toHaveLength(1);
      await validation.postback({ status: 'valid', partner_code: validation.code });
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
    async (tag, { validation }) => {
      await validation.requested(tag);
      expect(validation.made()).toHaveLength(1);
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
