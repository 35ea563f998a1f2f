import { expect, test } from 'vitest';
import { z } from 'zod';
import { notify, paymentNotification } from '../../src/contract/notify.js';
import { codeBlocks } from './markdown.js';

const examples = codeBlocks('docs/notifications.md', 'json').map(({ code }) =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(code)),
);

test('each way to ask for notifications is one that a start takes', () => {
  const requests = examples.filter((example) => 'notify' in example);
  expect(requests).toHaveLength(2);
  for (const request of requests) expect(notify.safeParse(request.notify)).toMatchObject({ success: true });
});

test('the notification that is shown has every field of the schema, and no other', () => {
  const [shown, ...others] = examples.filter((example) => 'type' in example);
  expect(others).toEqual([]);
  const strict = paymentNotification.extend({ payment: paymentNotification.shape.payment.strict() }).strict();
  expect(strict.safeParse(shown)).toMatchObject({ success: true });
});
