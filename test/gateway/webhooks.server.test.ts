import { describe, expect, vi } from 'vitest';
import { z } from 'zod';
import { notificationList } from '../../src/contract/http/notifications.js';
import { webhookPingResult } from '../../src/contract/webhook-ping.js';
import { webhookResendState } from '../../src/contract/webhook-resend.js';
import { waiting } from '../support/waiting.js';
import { test as base } from '../support/webhook-deployment.js';
import { newCode } from './requests.js';
import { call, operatorKey, otherOmsKey, type CallOptions } from './call.js';
import { startGatewayOn } from './test-gateway.js';

const test = base
  .extend('shopGateway', { scope: 'file' }, async ({ notifying: { receiver }, shared }, { onCleanup }) => {
    const gateway = await startGatewayOn(shared.server, {
      notifyTargets: [{ name: 'shop', url: receiver.url, keys: ['shop'] }],
    });
    onCleanup(gateway.close);
    return gateway;
  })
  .extend('gateway', ({ shopGateway: { audit, url } }) => {
    const request = (method: string, path: string, options?: CallOptions) => call(url, method, path, options);
    return {
      audit,
      get: (path: string, options?: CallOptions) => request('GET', path, options),
      ping: (body: object) => request('POST', '/v1/webhooks/ping', { body }),
      resend: (body: object, key?: string) =>
        request('POST', '/v1/webhook-resends', { body, ...(key === undefined ? {} : { key }) }),
      finished: (path: string, options?: CallOptions) =>
        vi.waitUntil(async () => {
          const state = webhookResendState.parse((await request('GET', path, options)).body);
          return state.closed && state;
        }, waiting),
    };
  });

const problems = z.object({ errors: z.array(z.object({ field: z.string() })) });

describe('POST /v1/webhook-resends', () => {
  test('sends one notification again, once however often it comes, and shows how far it is', async ({
    gateway,
    oms,
  }) => {
    const code = await oms.start(['done'], { owner: 'shop' });
    await oms.untilDeliveries(code, [1, 'claimed', 'delivered'], [2, 'done', 'delivered']);
    const id = newCode();
    const body = { resend_id: id, workflow_id: `payout-${code}`, sequence_from: 2, sequence_to: 2 };
    const path = `/v1/webhook-resends/${id}`;
    const started = await gateway.resend(body);
    expect(started).toMatchObject({ status: 202, headers: { location: path } });
    expect(await gateway.finished(path)).toMatchObject({
      started_by: 'shop',
      by: 'shop',
      counts: { payments: 1, resent: 1 },
    });
    expect((await gateway.resend(body)).status).toBe(200);
    const other = await gateway.resend({ ...body, sequence_from: 1 });
    expect(other).toMatchObject({ status: 409, headers: { location: path } });
    expect(problems.parse(other.body).errors).toMatchObject([{ field: 'sequence_from' }]);
    await oms.untilReceived(code, 3);
    expect(oms.receivedSince(code, 2)).toEqual([[2, 'done', true]]);
    const entries = gateway.audit.filter(({ workflow_id: of }) => of?.endsWith(id) === true);
    expect(entries.map(({ command, outcome }) => [command, outcome])).toEqual([
      ['startWebhookResend', 'started'],
      ['startWebhookResend', 'repeated'],
      ['startWebhookResend', 'conflict: request'],
    ]);
  });

  test('is for the own payments of an OMS: of what another has started it sends none', async ({
    gateway,
    oms,
    payments,
  }) => {
    const since = new Date().toISOString();
    const code = await oms.start([], { owner: 'shop' });
    await oms.untilDeliveries(code, [1, 'claimed', 'delivered']);
    const key = otherOmsKey;
    const all = { resend_id: newCode(), seen_after: since };
    const foreign = await gateway.resend({ ...all, owner: 'shop' }, key);
    expect(problems.parse(foreign.body).errors).toMatchObject([{ field: 'owner' }]);
    await vi.waitUntil(async () => {
      const changes = await payments.changes({ since, owner: 'shop' });
      return changes.payments.some(({ partner_code: seen }) => seen === code);
    }, waiting);
    expect((await gateway.resend(all, key)).status).toBe(202);
    const { counts } = await gateway.finished(`/v1/webhook-resends/${all.resend_id}`, { key });
    expect(counts).toEqual({ payments: 0, resent: 0, waiting: 0, unreadable: 0 });
    expect(oms.received(code)).toHaveLength(1);

    await gateway.resend({ resend_id: newCode(), seen_after: since, owner: 'shop' }, operatorKey);
    await oms.untilReceived(code, 2);
    expect(oms.receivedSince(code, 1)).toEqual([[1, 'claimed', true]]);
  });
});

test('GET /v1/notifications shows what became of each, and nothing that a notification has not', async ({
  gateway,
  oms,
}) => {
  const code = await oms.start(['done'], { owner: 'shop' });
  await oms.untilDeliveries(code, [1, 'claimed', 'delivered'], [2, 'done', 'delivered']);
  const { body, status } = await gateway.get(`/v1/notifications?workflow_id=payout-${code}`);
  expect(status).toBe(200);
  const { notifications } = notificationList.parse(body);
  expect(notifications).toEqual(
    oms.received(code).map((each) => ({ ...each, webhook: 'shop', delivery: 'delivered' })),
  );
});

test('POST /v1/webhooks/ping calls a webhook of the installation, and is audited', async ({
  gateway,
  receiver,
}) => {
  const answer = await gateway.ping({ webhook: 'shop' });
  expect(answer.status).toBe(200);
  expect(webhookPingResult.parse(answer.body)).toMatchObject({ delivered: true, reason: null });
  expect(receiver.pings).toHaveLength(1);
  expect(gateway.audit.at(-1)).toMatchObject({ command: 'pingWebhook', outcome: 'accepted', key: 'shop' });
});
