import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { notificationList } from '../../src/contract/http/notifications.js';
import { webhookPingResult } from '../../src/contract/webhook-ping.js';
import { webhookResendState } from '../../src/contract/webhook-resend.js';
import { startWebhookDeployment, type WebhookDeployment } from '../support/webhook-deployment.js';
import { accept } from '../support/webhook-receiver.js';
import { newCode } from './requests.js';
import { call, operatorKey, otherOmsKey, type CallOptions } from './call.js';
import { startGatewayOn } from './test-gateway.js';

let stack: WebhookDeployment;
let gateway: Awaited<ReturnType<typeof startGatewayOn>>;
beforeAll(async () => {
  stack = await startWebhookDeployment();
  gateway = await startGatewayOn(stack.deployment.server, {
    notifyTargets: [{ name: 'shop', url: stack.receiver.url, keys: ['shop'] }],
  });
});
beforeEach(() => {
  stack.receiver.answerBy(accept);
});
afterEach(() => stack.finish(undefined));
afterAll(async () => {
  await gateway.close();
  await stack.close();
});

const request = (method: string, path: string, options?: CallOptions) =>
  call(gateway.url, method, path, options);
const problems = z.object({ errors: z.array(z.object({ field: z.string() })) });

/** A payout of the key `shop` of which this many notifications were delivered. */
async function delivered(statuses: readonly string[]): Promise<string> {
  const code = await stack.start(statuses, { owner: 'shop' });
  await stack.until(
    () => stack.deliveries(code),
    (seen) => seen.length > statuses.length && seen.every(([, , delivery]) => delivery === 'delivered'),
  );
  return code;
}

const finished = (path: string) =>
  stack.until(
    async () => webhookResendState.parse((await request('GET', path)).body),
    ({ closed }) => closed,
  );

describe('POST /v1/webhook-resends', () => {
  test('sends one notification again, once however often it comes, and shows how far it is', async () => {
    const code = await delivered(['done']);
    const body = {
      resend_id: newCode(),
      workflow_id: `payout-${code}`,
      sequence_from: 2,
      sequence_to: 2,
    };
    const path = `/v1/webhook-resends/${body.resend_id}`;
    const started = await request('POST', '/v1/webhook-resends', { body });
    expect(started).toMatchObject({ status: 202, headers: { location: path } });
    expect(await finished(path)).toMatchObject({
      started_by: 'shop',
      by: 'shop',
      counts: { payments: 1, resent: 1 },
    });
    expect((await request('POST', '/v1/webhook-resends', { body })).status).toBe(200);
    const other = await request('POST', '/v1/webhook-resends', { body: { ...body, sequence_from: 1 } });
    expect(other).toMatchObject({ status: 409, headers: { location: path } });
    expect(problems.parse(other.body).errors).toMatchObject([{ field: 'sequence_from' }]);
    await stack.until(
      () => stack.received(code).length,
      (count) => count === 3,
    );
    expect(stack.receivedSince(code, 2)).toEqual([[2, 'done', true]]);
    const entries = gateway.audit.filter(({ workflow_id: id }) => id?.endsWith(body.resend_id) === true);
    expect(entries.map(({ command, outcome }) => [command, outcome])).toEqual([
      ['startWebhookResend', 'started'],
      ['startWebhookResend', 'repeated'],
      ['startWebhookResend', 'conflict: request'],
    ]);
  });

  test('is for the own payments of an OMS; what another has started it neither finds nor sends', async () => {
    const since = new Date().toISOString();
    const code = await delivered([]);
    const key = otherOmsKey;
    const of = (more: object) => ({ key, body: { resend_id: newCode(), ...more } });
    const one = await request('POST', '/v1/webhook-resends', of({ workflow_id: `payout-${code}` }));
    expect(one.status).toBe(404);
    const list = await request('GET', `/v1/notifications?workflow_id=payout-${code}`, { key });
    expect(list.status).toBe(404);
    const foreign = await request('POST', '/v1/webhook-resends', of({ seen_after: since, owner: 'shop' }));
    expect(problems.parse(foreign.body).errors).toMatchObject([{ field: 'owner' }]);
    await stack.until(
      () => stack.payments.changes({ since, owner: 'shop' }),
      ({ payments }) => payments.some(({ partner_code: seen }) => seen === code),
    );
    const all = of({ seen_after: since });
    expect((await request('POST', '/v1/webhook-resends', all)).status).toBe(202);
    const path = `/v1/webhook-resends/${all.body.resend_id}`;
    expect((await request('GET', path)).status).toBe(404);
    const state = await stack.until(
      async () => webhookResendState.parse((await request('GET', path, { key })).body),
      ({ closed }) => closed,
    );
    expect(state.counts).toEqual({ payments: 0, resent: 0, waiting: 0, unreadable: 0 });
    expect(stack.received(code)).toHaveLength(1);

    const ofShop = { resend_id: newCode(), seen_after: since, owner: 'shop' };
    await request('POST', '/v1/webhook-resends', { key: operatorKey, body: ofShop });
    await stack.until(
      () => stack.received(code).length,
      (count) => count === 2,
    );
    expect(stack.receivedSince(code, 1)).toEqual([[1, 'claimed', true]]);
  });

  test.for<[string, object, string]>([
    ['neither a payment nor a moment', {}, 'seen_after'],
    [
      'a range of sequences of no payment',
      { seen_after: '2026-05-01T00:00:00Z', sequence_to: 3 },
      'workflow_id',
    ],
    ['a workflow that is no payment', { workflow_id: 'webhook-resend-x' }, 'workflow_id'],
    ['a sequence below 1', { workflow_id: 'payout-x', sequence_from: 0 }, 'sequence_from'],
    ['an unknown field', { workflow_id: 'payout-x', resent: true }, 'resent'],
    ['a rate without bound', { workflow_id: 'payout-x', per_second: 1_000 }, 'per_second'],
  ])('refuses %s', async ([, more, field]) => {
    const answer = await request('POST', '/v1/webhook-resends', { body: { resend_id: newCode(), ...more } });
    expect(answer.status).toBe(400);
    expect(problems.parse(answer.body).errors.map((each) => each.field)).toContain(field);
  });

  test('of a payment that there is not answers 404 and starts nothing', async () => {
    const body = { resend_id: newCode(), workflow_id: `payout-${newCode()}` };
    expect((await request('POST', '/v1/webhook-resends', { body })).status).toBe(404);
    expect((await request('GET', `/v1/webhook-resends/${body.resend_id}`)).status).toBe(404);
  });
});

test('GET /v1/notifications shows what became of each, and nothing that a notification has not', async () => {
  const code = await delivered(['done']);
  const { body, status } = await request('GET', `/v1/notifications?workflow_id=payout-${code}`);
  expect(status).toBe(200);
  const { notifications } = notificationList.parse(body);
  expect(notifications).toEqual(
    stack.received(code).map((each) => ({ ...each, webhook: 'shop', delivery: 'delivered' })),
  );
});

describe('POST /v1/webhooks/ping', () => {
  test('calls a webhook of the installation, and is audited', async () => {
    const before = stack.receiver.pings.length;
    const answer = await request('POST', '/v1/webhooks/ping', { body: { webhook: 'shop' } });
    expect(answer.status).toBe(200);
    expect(webhookPingResult.parse(answer.body)).toMatchObject({ delivered: true, reason: null });
    expect(stack.receiver.pings).toHaveLength(before + 1);
    expect(gateway.audit.at(-1)).toMatchObject({ command: 'pingWebhook', outcome: 'accepted', key: 'shop' });
  });

  test('refuses any other address', async () => {
    const body = { webhook: 'http://169.254.169.254/latest' };
    const answer = await request('POST', '/v1/webhooks/ping', { body });
    expect(answer.status).toBe(404);
    expect(answer.body.detail).toBe(
      'This is not a webhook of this installation that you may use: NOTIFY_TARGETS has them.',
    );
  });

  test('answers a stranger as if there was no such webhook, and calls it not', async () => {
    const before = stack.receiver.pings.length;
    const ping = (webhook: string) =>
      request('POST', '/v1/webhooks/ping', { key: otherOmsKey, body: { webhook } });
    const answer = await ping('shop');
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual((await ping('nobody')).body);
    expect(stack.receiver.pings).toHaveLength(before);
  });
});
