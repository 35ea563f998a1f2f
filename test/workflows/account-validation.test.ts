import { describe, expect } from 'vitest';
import { statusIs, timelineShows } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

describe('the answer to an account validation', () => {
  test.for(['valid', 'invalid'])(
    'comes by postback, is kept as it came (%s), and is not verified',
    async (status, { validation }) => {
      await validation.requested();
      const [made] = validation.made();
      const body = { id: made?.id, status, partner_code: validation.code, type: 'account_validation' };
      await validation.postback(body);
      expect(await validation.result('1 second', 10)).toMatchObject({
        ...{ status: 'answered', closed: true, attention: null, value: null },
        answer: { source: 'postback', verified: false, body },
      });
    },
  );

  test('comes in the response when that already holds it', async ({ validation }) => {
    const body = { id: '77', valid: true };
    validation.service.answers('POST /v1/account/validate', { status: 200, body });
    await validation.start();
    expect(await validation.result('1 second', 10)).toMatchObject({
      ...{ status: 'answered', answer: { source: 'response', verified: false, body } },
    });
  });

  test('that is not clear stands until the deadline, or until a clear one', async ({ validation }) => {
    await validation.requested();
    // As a bare client may send it.
    await validation.signal('postbackReceived');
    await validation.postback('account seen');
    const { answer, closed } = await validation.until(statusIs('answered'), '1 second');
    expect(answer).toEqual({ source: 'postback', verified: false, body: 'account seen' });
    expect(closed).toBe(false);
    await validation.postback({ result: 'approved' });
    expect(await validation.result('1 second', 10)).toMatchObject({
      answer: { body: { result: 'approved' } },
    });
  });

  test('is no postback that reports it as under way, or of another validation', async ({ validation }) => {
    await validation.requested();
    await validation.postback({ status: 'processing' });
    await validation.postback({ status: 'valid', partner_code: 'another' });
    await validation.postback({ status: 'valid', id: 'another' });
    expect(await validation.after('1 minute')).toMatchObject({
      ...{ status: 'awaiting_answer', answer: { body: { status: 'processing' } } },
    });
  });

  test('that never comes, without any postback, leaves it unanswered', async ({ validation }) => {
    await validation.requested();
    expect(await validation.after('71 hours')).toMatchObject({ status: 'awaiting_answer' });
    const result = await validation.result('1 hour', 3);
    expect(result).toMatchObject({ status: 'unanswered', closed: true, answer: { source: 'response' } });
  });

  test.for([
    ['by a postback', true, { status: 'answered' }],
    ['by nobody, which ends it', false, { status: 'unanswered', answer: null }],
  ] as const)('of unknown outcome comes %s', async ([, comes, ended], { validation }) => {
    await validation.start('accepted-then-dropped');
    await validation.until(statusIs('submission_unknown'), '1 second');
    await validation.after('1 day');
    if (comes) await validation.postback({ status: 'valid', partner_code: validation.code });
    expect(await validation.result('1 day', 10)).toMatchObject(ended);
  });
});

test('an account validation that is cancelled after 429 says that the service had answered so', async ({
  validation,
}) => {
  await validation.start('429-always');
  await validation.until(timelineShows('429'), '1 second');
  await validation.cancel();
  const { status, timeline } = await validation.result();
  expect(status).toBe('cancelled');
  expect(timeline.at(-1)?.what).toBe('Cancelled. The service had answered that it did nothing.');
});
