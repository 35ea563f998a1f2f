import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { card, cardOrder, newCode, pixPayout, transferPayout } from '../../gateway/requests.js';
import type { Answer } from '../../gateway/call.js';
import { waiting } from '../../support/waiting.js';
import { attackedGatewayForAllTests, type AttackedGateway } from '../support/attacked-gateway.js';

/*
 * Each operation of the HTTP API with each object that it could name, as a stranger: the answer is the one for an object
 * that does not exist.
 */

const { credit_card: _card, ...uncarded } = cardOrder();
const orderNamed = (code: string) => ({ ...uncarded, order: { ...uncarded.order, partner_code: code } });
const checkoutNamed = (code: string) => {
  const { order, ...rest } = orderNamed(code);
  return { ...rest, order: { ...order, redirect_url: 'https://a.example', payment_method: 'credit_card' } };
};
const validationNamed = (partner_code: string) => ({
  ...{ partner_code, bank_code: '001', account: '12345-6' },
  ...{ first_name: 'Ana', last_name: 'Lima', document: '529.982.247-25' },
});
const batchNamed = (batch_id: string, ...codes: string[]) => ({
  batch_id,
  payouts: codes.map((code) => ({ method: 'pix', ...pixPayout(code) })),
});
const bulkRetryNamed = (bulk_retry_id: string, filter: object = {}) => ({
  ...{ bulk_retry_id, reason: 'mine', dry_run: true, filter },
});
const resendNamed = (resend_id: string, of: object = { seen_after: '2026-01-01T00:00:00Z' }) => ({
  resend_id,
  ...of,
});

/** What the owner has, each by its identifier. */
type Owned = Record<
  | 'cardOrder'
  | 'checkout'
  | 'threeDSecureOrder'
  | 'refunded'
  | 'serviceId'
  | 'payout'
  | 'batch'
  | 'bulkRetry'
  | 'validation'
  | 'resend',
  string
>;
type Ask = { query?: string; body?: object };
/** Which objects an operation can name, and how a stranger asks for one. */
type Case = readonly [kinds: readonly (keyof Owned)[], ask: (id: string) => Ask];

const reason = 'theirs';
const orders = ['cardOrder', 'checkout', 'threeDSecureOrder', 'refunded'] as const;
const read: Ask = {};
const command = (more: object = {}) => ({ body: { reason, ...more } });

/** By operationId. Those that only start something are in `starts`. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  getOrder: [[orders, () => read]],
  provideCard: [[orders, () => ({ body: { credit_card: card() } })]],
  resolveOrder: [[orders, () => command({ nothing_happened: true })]],
  acknowledgeOrder: [[orders, () => command({ attention: 'chargeback' })]],
  issueThreeDSecureToken: [[orders, () => ({ body: {} })]],
  completeThreeDSecure: [
    [orders, () => ({ body: { callback: 'authenticated', eci: '05', credit_card: card() } })],
  ],
  startRefund: [
    [orders, () => ({ body: {} })],
    [['serviceId'], (service_id) => ({ body: { service_id } })],
  ],
  getRefund: [[orders, () => read]],
  retryRefund: [[orders, () => command({ nothing_queued: true })]],
  resolveRefund: [[orders, () => command({ outcome: 'refunded' })]],
  acknowledgeRefund: [[orders, () => command({ attention: 'refund_failed' })]],
  getPayout: [[['payout'], () => read]],
  retryPayout: [[['payout'], () => command({ corrections: { pix: 'evil@example.com' } })]],
  abandonPayout: [[['payout'], () => command()]],
  resolvePayout: [[['payout'], () => command({ nothing_happened: true })]],
  acknowledgePayout: [[['payout'], () => command({ attention: 'payout_failed' })]],
  listPayouts: [[['batch'], (batch) => ({ query: `?batch_id=${batch}` })]],
  getPayoutBatch: [
    [['batch'], () => ({ query: '?payouts=true' })],
    [['batch'], () => read],
  ],
  getBulkRetry: [[['bulkRetry'], () => read]],
  getBulkRetryReport: [[['bulkRetry'], () => read]],
  pauseBulkRetry: [[['bulkRetry'], () => command()]],
  resumeBulkRetry: [[['bulkRetry'], () => command()]],
  stopBulkRetry: [[['bulkRetry'], () => command()]],
  getAccountValidation: [[['validation'], () => read]],
  listNotifications: [
    [['payout'], (code) => ({ query: `?workflow_id=payout-${code}` })],
    [orders, (code) => ({ query: `?workflow_id=order-${code}` })],
    [['serviceId'], (id) => ({ query: `?workflow_id=refund-${id}` })],
  ],
  startWebhookResend: [
    [['payout'], (code) => ({ body: resendNamed('theirs', { workflow_id: `payout-${code}` }) })],
    [orders, (code) => ({ body: resendNamed('theirs', { workflow_id: `order-${code}` }) })],
    [['serviceId'], (id) => ({ body: resendNamed('theirs', { workflow_id: `refund-${id}` }) })],
  ],
  getWebhookResend: [[['resend'], () => read]],
};

/** With an identifier that the owner has taken: 409, for what must not happen twice has one name for all. */
const starts: Readonly<Record<string, readonly [keyof Owned, (id: string) => object]>> = {
  startCardOrder: ['cardOrder', (code) => ({ ...orderNamed(code), credit_card: card() })],
  startHostedCheckout: ['checkout', checkoutNamed],
  startThreeDSecureOrder: ['threeDSecureOrder', orderNamed],
  startPixPayout: ['payout', pixPayout],
  startTransferPayout: ['payout', transferPayout],
  startAccountValidation: ['validation', validationNamed],
  startPayoutBatch: ['batch', (id) => batchNamed(id, newCode())],
  startBulkRetry: ['bulkRetry', (id) => bulkRetryNamed(id)],
  startWebhookResend: ['resend', (id) => resendNamed(id)],
};

/** They name no object: what they show is compared below. A card and a webhook are named in tests of their own. */
const namingNothing = ['listOrders', 'listChanges', 'storeCard', 'pingWebhook'];

/** A payout of the stranger that the owner has put into a batch, too. */
const shared = newCode();
const gateway = await attackedGatewayForAllTests();
const operations = await operationsOf(gateway);
const owned = await everyKindOfObject(gateway);

test('each operation is tried by a stranger', () => {
  const tried = [...Object.keys(cases), ...Object.keys(starts), ...namingNothing];
  expect([...operations.keys()].sort()).toEqual([...new Set(tried)].sort());
});

describe.for(Object.entries(cases))('%s as a stranger', ([operationId, asked]) => {
  const tries = asked.flatMap(([kinds, ask]) => kinds.map((kind) => [kind, ask] as const));
  test.for(tries)('of a %s is answered as for one that does not exist', async ([kind, ask]) => {
    const real = await sent(operationId, owned[kind], ask);
    const absent = await sent(operationId, absentId(kind), ask);
    expect(real).toEqual(absent);
    // Refused for what it says, it would show nothing of whose the object is.
    expect(real.status).not.toBe(400);
  });
});

describe.for(Object.entries(starts))('%s as a stranger', ([operationId, [kind, body]]) => {
  test(`with the identifier of a ${kind} is a conflict that shows nothing of it`, async () => {
    const id = owned[kind];
    const { path } = operationNamed(operationId);
    const { status, headers, text } = await gateway.asOther('POST', path, body(id));
    expect(status).toBe(409);
    expect(headers.location).toBeUndefined();
    for (const word of ['oms', 'fields', 'claimed', 'error', 'paid', owned.serviceId])
      expect(text.replaceAll(id, '')).not.toContain(`"${word}"`);
  });
});

describe('a list as a stranger', () => {
  test.for(['listOrders', 'listPayouts', 'listChanges'])('%s holds nothing of the owner', async (name) => {
    const { path } = operationNamed(name);
    const query = name === 'listChanges' ? '?since=2026-01-01T00:00:00Z' : '?limit=100';
    const isOrders = name === 'listOrders';
    const mine = async () => (await gateway.asOwner('GET', path + query)).text;
    await expect.poll(mine).toContain(isOrders ? owned.cardOrder : owned.payout);
    const { status, text } = await gateway.asOther('GET', path + query);
    expect(status).toBe(200);
    for (const id of Object.values(owned)) if (id !== shared) expect(text).not.toContain(`"${id}"`);
  });
});

test('a bulk retry of a stranger matches nothing in a batch of the owner', async () => {
  const id = newCode();
  const body = bulkRetryNamed(id, { batch_id: owned.batch });
  expect((await gateway.asOther('POST', '/v1/bulk-retries', body)).status).toBe(202);
  const read = async () => (await gateway.asOther('GET', `/v1/bulk-retries/${id}`)).body;
  await expect.poll(read).toMatchObject({ status: 'finished', counts: { matched: 0 } });
});

test('no money of the owner has moved, and nothing of it was changed', async () => {
  expect(gateway.ledgerOf(owned.cardOrder)).toEqual(['paid']);
  expect(gateway.ledgerOf(owned.payout)).toEqual(['error']);
  expect(gateway.calls('PUT /v1/order/{id}/refund')).toBe(1);
  expect(gateway.calls('PUT /v1/3ds/order/{id}')).toBe(0);
  const { text } = await gateway.asOwner('GET', `/v1/payouts/${owned.payout}`);
  expect(text).not.toContain(reason);
});

/** What matters of an answer, without the identifier that was asked for. */
async function sent(operationId: string, id: string, ask: (id: string) => Ask) {
  const { method, path } = operationNamed(operationId);
  const { query = '', body } = ask(id);
  // An identifier of the service names an order in the body alone.
  const address = path.replace(/\{\w+\}/, ask === serviceIdInBody(operationId) ? 'nothing-1' : id);
  const { status, headers, text } = await gateway.asOther(method, address + query, body);
  return {
    ...{ status, type: headers['content-type'], location: headers.location },
    text: text.replaceAll(id, '…'),
  };
}

function serviceIdInBody(operationId: string) {
  return operationId === 'startRefund' ? cases.startRefund?.[1]?.[1] : undefined;
}

function absentId(kind: keyof Owned): string {
  return kind === 'serviceId' ? '999999999' : newCode();
}

function operationNamed(operationId: string): { method: string; path: string } {
  const found = operations.get(operationId);
  if (found === undefined) throw new Error(`There is no operation ${operationId}.`);
  return found;
}

async function operationsOf({ asOther }: AttackedGateway) {
  const document = z.object({
    paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }).loose())),
  });
  const { paths } = document.parse((await asOther('GET', '/openapi.json')).body);
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => [operationId, { method: method.toUpperCase(), path }] as const,
    ),
  );
  return new Map(all.filter(([, { path }]) => path.startsWith('/v1/')));
}

async function everyKindOfObject({ asOwner, asOther, ...stack }: AttackedGateway): Promise<Owned> {
  const started = async (send: typeof asOwner, path: string, body: object): Promise<Answer> => {
    const answer = await send('POST', path, body);
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
    return answer;
  };
  const [paid, refunded] = [await stack.paidOrder(), await stack.paidOrder()];
  const payout = await stack.failedPayout();
  const ids = {
    ...{ checkout: newCode(), threeDSecureOrder: newCode(), batch: `${newCode()}x` },
    ...{ bulkRetry: newCode(), validation: newCode(), resend: newCode() },
  };
  await started(asOwner, '/v1/orders/checkout', checkoutNamed(ids.checkout));
  await started(asOwner, '/v1/orders/3ds', orderNamed(ids.threeDSecureOrder));
  await started(asOwner, `/v1/orders/${refunded.code}/refund`, { service_id: refunded.id });
  await started(asOwner, '/v1/account-validations', validationNamed(ids.validation));
  await started(asOther, '/v1/payouts/pix', pixPayout(shared));
  await started(asOwner, '/v1/payout-batches', batchNamed(ids.batch, shared, newCode()));
  await started(asOwner, '/v1/bulk-retries', bulkRetryNamed(ids.bulkRetry));
  await started(asOwner, '/v1/webhook-resends', resendNamed(ids.resend));
  const inBatch = async () => (await asOwner('GET', `/v1/payouts?batch_id=${ids.batch}`)).text;
  await vi.waitUntil(async () => (await inBatch()).includes(shared), waiting);
  return { ...ids, cardOrder: paid.code, refunded: refunded.code, serviceId: refunded.id, payout };
}
