import { describe, expect } from 'vitest';
import { madeOn, orderKinds } from '../support/lifecycles/order-kinds.js';
import { attentionIs } from '../support/payment.js';
import { startPlainStack } from '../support/plain/stack.js';
import { test as base } from '../support/plain-payments.js';

/** While ORDERS_AFTER_429 is `unknown`. What follows `send_again` stands with each lifecycle. */
// eslint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from the pattern
const test = base.extend('plain', { scope: 'file' }, async ({}, { onCleanup }) => {
  const stack = await startPlainStack('unknown');
  onCleanup(() => stack.close());
  return stack;
});

const page = { headers: { 'content-type': 'text/html' }, body: '<html><body>Request blocked.</body></html>' };
const taken = { body: { error: 'partner_code has already been taken' } };

/** The outcome of each is unknown, whether or not the service has done the work. */
const answers: [string, object][] = [
  ['401 to a token that it takes for a read', { status: 401 }],
  ['403', { status: 403 }],
  ["403 by a firewall's page", { status: 403, ...page }],
  ['409', { status: 409 }],
  ['400 whose words say that there is one', { status: 400, ...taken }],
  ['422 whose words say that there is one', { status: 422, ...taken }],
  ['429', { status: 429, headers: { 'retry-after': '60' } }],
];

const effects = ['none', 'done'] as const;
const cases = effects.flatMap((effect) =>
  answers.map(([name, answer]) => [name, effect, { effect, ...answer }] as const),
);
const times = (effect: 'none' | 'done') => (effect === 'done' ? 1 : 0);

describe.for(cases)(
  'what the service answers %s, with the effect %s, is of unknown outcome and made once at most:',
  ([, effect, fault]) => {
    test.for(orderKinds)('%s', async ([, { endpoint, start }], { clock, code, service, stack }) => {
      service.answers(endpoint, fault);
      const order = await start(stack, code);
      await order.until(attentionIs('submission_unknown'), '1 second');
      await clock.sleep('1 day');
      expect(madeOn(stack, code)).toHaveLength(times(effect));
    });

    test('the completion of a 3D Secure order', async ({ secureOrder }) => {
      await secureOrder.opened();
      secureOrder.service.answers('PUT /v1/3ds/order/{id}', fault);
      await secureOrder.complete();
      await secureOrder.until(attentionIs('submission_unknown'), '1 second');
      await secureOrder.after('1 day');
      expect(secureOrder.made()).toMatchObject([{ times_submitted: times(effect) }]);
    });

    test('a validation', async ({ validation }) => {
      validation.service.answers('POST /v1/account/validate', fault);
      await validation.start();
      expect(await validation.result('1 day')).toMatchObject({ status: 'unanswered' });
      expect(validation.made()).toHaveLength(times(effect));
    });
  },
);
