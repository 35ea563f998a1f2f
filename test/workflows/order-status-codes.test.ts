import { describe, expect } from 'vitest';
import { creatingCalls } from '../support/lifecycles/creating-calls.js';
import { statusIs } from '../support/payment.js';
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
const answers = [
  ['401 to a token that it takes for a read', { status: 401 }],
  ['403', { status: 403 }],
  ["403 by a firewall's page", { status: 403, ...page }],
  ['409', { status: 409 }],
  ['400 whose words say that there is one', { status: 400, ...taken }],
  ['422 whose words say that there is one', { status: 422, ...taken }],
  ['429', { status: 429, headers: { 'retry-after': '60' } }],
] as const;
const cases = answers.flatMap(([name, answer]) => [
  [name, 'none', 0, answer] as const,
  [name, 'done', 1, answer] as const,
]);
const ofOrders = creatingCalls.filter(([name]) => !['a payout', 'a refund'].includes(name));

describe.for(cases)(
  'what the service answers %s, with the effect %s, is of unknown outcome and made %i times at most:',
  ([, effect, made, answer]) => {
    test.for(ofOrders)(
      '%s',
      async ([, { endpoint, start, times, unknown }], { clock, code, service, stack }) => {
        service.answers(endpoint, { effect, ...answer });
        const payment = await start(stack, code);
        await payment.until(statusIs(unknown), '1 second');
        await clock.pass('1 day');
        expect(times(stack, code)).toBe(made);
      },
    );
  },
);
