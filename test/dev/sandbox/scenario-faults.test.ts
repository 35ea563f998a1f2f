import { expect } from 'vitest';
import { scenarioGroups } from '../../../src/dev/sandbox/scenarios.js';
import { anyText, cardOrder, pixPayout, test, signedInAt } from './helpers.js';

type Outcome = {
  readonly done: boolean;
  readonly status?: number;
  readonly body?: RegExp;
  readonly type?: RegExp;
};

const cut = undefined;
const sandboxError = /"error":\{/;

/** What a caller sees of each disturbance (no status: the connection is cut), and whether the payout exists then. */
const outcomes: Record<string, Outcome> = {
  'accepted-then-dropped': { done: true },
  'dropped-before': { done: false },
  slow: { done: true, status: 200, body: /claimed/ },
  truncated: { done: true },
  html: { done: true, status: 200, body: /<html>/, type: /html/ },
  empty: { done: true, status: 200, body: /^$/ },
  '307': { done: false, status: 307, body: /^$/ },
  '307-after': { done: true, status: 307, body: /^$/ },
  '403-html-after': { done: true, status: 403, body: /<html>/, type: /html/ },
  '422-taken-after': { done: true, status: 422, body: /already been taken/, type: /json/ },
  '422-html': { done: false, status: 422, body: /<html>/, type: /html/ },
  '422-empty': { done: false, status: 422, body: /^$/ },
  '422-text': { done: false, status: 422, body: /^no$/, type: /plain/ },
  '422-list': { done: false, status: 422, body: /^\[/, type: /json/ },
  '422-errors': { done: false, status: 422, body: /"errors"/, type: /json/ },
  '429': { done: false, status: 429, body: sandboxError },
  '500-html': { done: false, status: 500, body: /<html>/, type: /html/ },
  '500-empty': { done: false, status: 500, body: /^$/ },
  ...Object.fromEntries(
    [400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 500, 501, 502, 503, 504].map((status) => [
      String(status),
      { done: false, status, body: sandboxError, type: /json/ },
    ]),
  ),
  ...Object.fromEntries(
    [400, 401, 403, 404, 408, 409, 422, 429, 500, 501, 502, 503, 504].map((status) => [
      `${String(status)}-after`,
      { done: true, status, body: sandboxError, type: /json/ },
    ]),
  ),
};

const withoutAnswer = ['hang', 'hang-before', 'late-effect'];

test('every disturbance of the table is tried below', () => {
  const tried = [...Object.keys(outcomes), ...withoutAnswer];
  expect(tried.sort()).toEqual(Object.keys(scenarioGroups.disturbances).sort());
});

test.for(Object.entries(outcomes))(
  'sandbox+%s comes once a partner_code',
  async ([tag, outcome], { service, call }) => {
    const body = pixPayout({ pix: `sandbox+${tag}@example.com` });
    const answer = await call('POST /v1/payout/pix', body).catch(() => cut);
    expect(answer?.status).toBe(outcome.status);
    if (outcome.body) expect(answer?.text).toMatch(outcome.body);
    if (outcome.type) expect(answer?.headers['content-type']).toMatch(outcome.type);
    expect(service.ledger().payouts.length).toBe(outcome.done ? 1 : 0);
    const again = await call('POST /v1/payout/pix', body);
    expect([again.status, again.json.status]).toEqual([200, 'claimed']);
    const other = await call('POST /v1/payout/pix', { ...body, partner_code: 'p-2' }).catch(() => cut);
    expect(other?.status).toBe(outcome.status);
  },
);

test('429 names when to come again, and a redirect where to', async ({ call }) => {
  const throttled = await call('POST /v1/payout/pix', pixPayout({ pix: 'sandbox+429@example.com' }));
  expect(throttled.headers['retry-after']).toBe('1');
  const redirected = await call('POST /v1/payout/pix', pixPayout({ pix: 'sandbox+307@example.com' }));
  expect(redirected.headers.location).toBe('/sandbox/elsewhere');
});

test.each([
  ['hang', 1],
  ['hang-before', 0],
])('sandbox+%s never answers', async (tag, done) => {
  const { call, service } = await signedInAt({ timeScale: 1 });
  const answer = call('POST /v1/payout/pix', pixPayout({ pix: `sandbox+${tag}@example.com` })).catch(
    () => cut,
  );
  await service.until(({ calls }) => calls['POST /v1/payout/pix'] === 1);
  const next = await call('POST /v1/payout/pix', pixPayout({ partner_code: 'p-2' }));
  expect(next.status).toBe(200);
  expect(service.ledger('p-1').payouts.length).toBe(done);
  await service.close();
  expect(await answer).toBe(cut);
});

test('sandbox+late-effect does the work although the caller has gone', async () => {
  const { call, service } = await signedInAt({ timeScale: 1 });
  const gone = new AbortController();
  const answer = fetch(`${service.url}/v1/payout/pix`, {
    method: 'POST',
    headers: { authorization: `Bearer ${call.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(pixPayout({ pix: 'sandbox+late-effect@example.com' })),
    signal: gone.signal,
  });
  await service.until(({ calls }) => calls['POST /v1/payout/pix'] === 1);
  gone.abort();
  await expect(answer).rejects.toThrow();
  expect(service.ledger().payouts.length).toBe(0);
  service.hurry();
  await service.until(({ payouts }) => payouts.length === 1);
});

test('sandbox+slow answers after the payout is done', async () => {
  const { call, service } = await signedInAt({ timeScale: 1 });
  const answer = call('POST /v1/payout/pix', pixPayout({ pix: 'sandbox+slow@example.com' }));
  await service.until(({ payouts }) => payouts.length === 1);
  service.hurry();
  expect((await answer).json.status).toBe('claimed');
  expect(service.ledger().payouts[0]?.status).toBe('done');
});

test('a tag ending in -always disturbs every call', async ({ call }) => {
  const body = pixPayout({ pix: 'sandbox+401-always@example.com' });
  expect((await call('POST /v1/payout/pix', body)).status).toBe(401);
  expect((await call('POST /v1/payout/pix', body)).status).toBe(401);
});

test('tags come one after the other, and shapes with them', async ({ service, call }) => {
  const body = pixPayout({ pix: 'sandbox+401+503-after+nested+id-integer+201@example.com' });
  expect((await call('POST /v1/payout/pix', body)).status).toBe(401);
  expect((await call('POST /v1/payout/pix', body)).status).toBe(503);
  const third = await call('POST /v1/payout/pix', body);
  expect(third.status).toBe(201);
  expect(third.json).toEqual({ payout: { id: Number(service.ledger().payouts[1]?.id), status: 'claimed' } });
});

test('read-, refund- and completion- disturb the other calls of a payment', async ({ service, call }) => {
  const description = 'sandbox:done-at-once+read-404+refund-accepted-then-dropped+completion-503';
  const { json } = await call('POST /v1/order', cardOrder({ description }));
  const id = String(json.id);
  expect((await call(`GET /v1/order/${id}`)).status).toBe(404);
  expect((await call(`GET /v1/order/${id}`)).status).toBe(200);
  await expect(call(`PUT /v1/order/${id}/refund`)).rejects.toThrow();
  expect(service.ledger().refunds.length).toBe(1);
  const pending = await call('POST /v1/3ds/order', cardOrder({ description }));
  const completion = { ...cardOrder(), credentials: { callback: 'done', eci: '05' } };
  expect((await call(`PUT /v1/3ds/order/${String(pending.json.id)}`, completion)).status).toBe(503);
  expect((await call(`PUT /v1/3ds/order/${String(pending.json.id)}`, completion)).status).toBe(200);
});

const usual = { id: anyText, status: 'claimed' };
const someNumber: unknown = expect.any(Number);

/** The answer to the creation of a payout in each shape. */
const shapes: Record<string, { readonly status?: number; readonly json: Record<string, unknown> }> = {
  '200': { json: usual },
  '201': { status: 201, json: usual },
  '202': { status: 202, json: usual },
  '204': { status: 204, json: {} },
  'id-integer': { json: { ...usual, id: someNumber } },
  'id-absent': { json: { status: 'claimed' } },
  'id-unsafe': { json: { ...usual, id: 9007199254740994 } },
  'id-other': { json: { ...usual, id: '1' } },
  nested: { json: { payout: usual } },
  'status-absent': { json: { id: anyText } },
  'status-unknown': { json: { ...usual, status: 'under_review' } },
  'status-upper': { json: { ...usual, status: 'CLAIMED' } },
  'value-other': { json: { ...usual, value: 987654.32 } },
  'extra-fields': {
    json: expect.objectContaining({ ...usual, meta: { trace: null } }) as Record<string, unknown>,
  },
  'with-partner-code': { json: { ...usual, partner_code: 'p-1' } },
};

test('every shape of the table is tried below', () => {
  expect(Object.keys(shapes).sort()).toEqual(Object.keys(scenarioGroups.shapes).sort());
});

test.for(Object.entries(shapes))(
  'sandbox+%s shapes the answer',
  async ([tag, expected], { service, call }) => {
    const answer = await call('POST /v1/payout/pix', pixPayout({ pix: `sandbox+${tag}@example.com` }));
    expect(answer.status).toBe(expected.status ?? 200);
    expect(answer.json).toEqual(expected.json);
    expect(service.ledger().payouts.length).toBe(1);
  },
);

test('an order is nested under its own name, and a read in its own shape', async ({ call }) => {
  const { json } = await call(
    'POST /v1/order',
    cardOrder({ description: 'sandbox:nested+read-id-integer+stuck' }),
  );
  expect(json).toEqual({ order: { id: anyText, status: 'waiting_payment' } });
  const { id } = json.order as { id: string };
  expect((await call(`GET /v1/order/${id}`)).json.id).toBe(Number(id));
});
