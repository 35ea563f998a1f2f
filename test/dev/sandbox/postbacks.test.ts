import { expect } from 'vitest';
import type { SandboxOptions } from '../../../src/dev/sandbox/server.js';
import { pixPayout, postbackReceiver, test, signedInAt } from './helpers.js';

async function payoutWith(tag: string, options: Partial<SandboxOptions> = {}, ...answers: number[]) {
  const { call, service } = await signedInAt(options);
  const receiver = await postbackReceiver(...answers);
  const pix = tag === '' ? 'rui@example.com' : `sandbox+${tag}@example.com`;
  const { json } = await call('POST /v1/payout/pix', pixPayout({ pix, notification_url: receiver.url }));
  return { service, call, receiver, id: String(json.id) };
}

test('a postback that is not accepted comes again until it is', async () => {
  const { service, receiver } = await payoutWith('done-at-once', {}, 500, 404, 302);
  service.setPayoutStatus('p-1', 'error');
  await receiver.atLeast(4);
  expect(receiver.statuses()).toEqual(['error', 'error', 'error', 'error']);
  await service.until(({ postbacks }) => postbacks.delivered === 1);
  expect(service.ledger().postbacks).toEqual({ sent: 4, delivered: 1, given_up: 0 });
});

test('a postback that nobody accepts is given up after five attempts', async () => {
  const { service } = await payoutWith('done-at-once', {}, 500, 500, 500, 500, 500);
  service.setPayoutStatus('p-1', 'error');
  await service.until(({ postbacks }) => postbacks.given_up === 1);
  expect(service.ledger().postbacks).toEqual({ sent: 5, delivered: 0, given_up: 1 });
});

test('postbacks can be switched off and on', async () => {
  const { service, receiver } = await payoutWith('stuck');
  service.postbacks('off');
  service.setPayoutStatus('p-1', 'processing');
  service.postbacks('on');
  service.setPayoutStatus('p-1', 'done');
  await receiver.atLeast(1);
  expect(receiver.statuses()).toEqual(['done']);
  expect(service.ledger().postbacks.sent).toBe(1);
});

test('postback-late: the service knows long before it posts back', async () => {
  const { service, receiver } = await payoutWith('postback-late', { timeScale: 1 });
  service.hurry();
  expect(service.ledger().payouts[0]?.status).toBe('done');
  expect(service.ledger().postbacks.sent).toBe(0);
  service.hurry();
  await receiver.atLeast(2);
  expect(receiver.statuses().sort()).toEqual(['done', 'processing']);
});

test('postback-silent: done, and nothing was sent', async () => {
  const { service } = await payoutWith('postback-silent');
  await service.until(({ payouts }) => payouts[0]?.status === 'done');
  expect(service.ledger().postbacks.sent).toBe(0);
});

test('postback-duplicated: each comes three times', async () => {
  const { receiver } = await payoutWith('postback-duplicated');
  await receiver.atLeast(6);
  const times = (status: string) => receiver.statuses().filter((each) => each === status).length;
  expect([times('processing'), times('done')]).toEqual([3, 3]);
});

test('postback-reordered: done comes before processing', async () => {
  const { receiver, service } = await payoutWith('postback-reordered', { progress: 'manual', timeScale: 1 });
  service.setPayoutStatus('p-1', 'processing');
  service.setPayoutStatus('p-1', 'done');
  await receiver.atLeast(2);
  expect(receiver.statuses()).toEqual(['done', 'processing']);
});

test('postback-early: the first one comes before the answer to the POST', async () => {
  const { receiver, id } = await payoutWith('postback-early+stuck');
  expect(receiver.received).toEqual([{ id, status: 'claimed', partner_code: 'p-1', type: 'payout' }]);
});

test('postback-lying: it posts error while the payout goes well', async () => {
  const { service, receiver } = await payoutWith('postback-lying');
  await receiver.atLeast(2);
  expect(receiver.statuses()).toEqual(['error', 'error']);
  expect(service.ledger().payouts[0]?.status).toBe('done');
});
