import { expect } from 'vitest';
import { recordedAs } from '../support/keep-histories.js';
import { freshCode } from '../support/requests.js';
import { test } from '../support/resets.js';

const postback = { received_at: new Date().toISOString(), content_type: null, body: '{}' };

test(
  'a payment with a long history continues as new with everything it knew, while postbacks keep coming',
  recordedAs('payout-continued-as-new'),
  async ({ stack, sandbox }) => {
    const code = freshCode();
    const handle = await stack.startPayout(code);
    await stack.working(async () => {
      await stack.untilStatus(handle, 'claimed');
      const first = (await handle.describe()).runId;
      const current = stack.current(handle);
      await stack.untilNextRun(current, first, () =>
        Promise.all(Array.from({ length: 10 }, () => current.signal('postbackReceived', postback))),
      );
      sandbox.setPayoutStatus(code, 'done');
      await current.signal('postbackReceived', postback);
      const done = await stack.untilStatus(current, 'done');
      expect(done.attempts).toMatchObject([{ number: 1, partner_code: code, status: 'done' }]);
    });
    expect(stack.made(code)).toEqual([code]);
  },
);

test('a payment that many wait for answers them all: it continues as new before its Updates are used up', async ({
  stack,
}) => {
  const code = freshCode();
  const handle = await stack.startPayout(code, '', {});
  const current = stack.current(handle);
  await stack.working(async () => {
    for (let asked = 0; asked < 130; asked += 5)
      await Promise.all(Array.from({ length: 5 }, () => stack.untilStatus(current, 'claimed')));
  });
  expect((await current.describe()).runId).not.toBe(handle.firstExecutionRunId);
  expect(stack.made(code)).toEqual([code]);
});
