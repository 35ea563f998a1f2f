import { expect, test } from 'vitest';
import { checkoutUrl } from '../../src/domain/checkout-url.js';

const page = 'https://pay.example/c/1';
const ours = 'https://shop.example/thanks';

test.for([
  ['under its likeliest name', { id: '1', checkout_url: page }],
  ['under another likely name', { payment_url: page }],
  ['in camel case', { checkoutUrl: page }],
  ['one level down', { checkout: { url: page } }],
  ['in a list of links', { links: [{ rel: 'self', href: page }] }],
  ['under a name that nobody foresaw', { init_point: page }],
  ['beside our own address that is repeated', { order: { redirect_url: ours }, link: page }],
  ['beside addresses for other things', { notification_url: 'https://n.io/', cancel_url: ours, url: page }],
  ['under the likelier of two names', { href: 'https://pay.example/other', checkout_url: page }],
] as const)('the address for the customer is found %s', ([, answer]) => {
  expect(checkoutUrl(answer, [ours])).toBe(page);
});

test.for([
  ['there is none', { id: '1', status: 'waiting_payment' }],
  ['there is no answer', null],
  ['only our own is there', { redirect_url: ours }],
  ['it is no web address', { checkout_url: 'javascript:alert(1)' }],
  ['it may have been cut', { checkout_url: `https://pay.example/${'x'.repeat(2_028)}` }],
] as const)('no address is found when %s', ([, answer]) => {
  expect(checkoutUrl(answer, [ours])).toBeNull();
});
