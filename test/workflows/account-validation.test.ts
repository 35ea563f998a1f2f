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
