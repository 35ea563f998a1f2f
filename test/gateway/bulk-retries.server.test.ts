import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { BulkRetryLine, BulkRetryState } from '../../src/contract/bulk-retry.js';
import type { AuditEntry } from '../../src/audit/audit-log.js';
import { freshCode } from '../support/requests.js';
import { startBulkRetryGateway, type BulkRetryGateway } from './bulk-retry-gateway.js';
import { call, operatorKey, omsKey, otherOmsKey, type CallOptions } from './test-gateway.js';

let stack: BulkRetryGateway;
beforeAll(async () => {
  stack = await startBulkRetryGateway();
});
afterEach(() => stack.replay());
afterAll(() => stack.close());

const path = '/v1/bulk-retries';
const reason = 'the bank is back';

async function http(method: 'GET' | 'POST', address: string, key: string, options: CallOptions = {}) {
  const answer = await call(stack.gateway.url, method, address, { key, ...options });
  return { ...answer, state: answer.body as unknown as BulkRetryState };
}

/** Payouts that the key `shop` has started and that failed, and how they are named by the others. */
const failedOf = (owner: string, count = 1) => stack.failed(count, {}, owner);
const entries = (command: string): AuditEntry[] =>
  stack.gateway.audit.filter((entry) => entry.command === command);

test('an operator starts one, again the same, another under its id is refused by its fields', async () => {
  const codes = await failedOf('shop');
  const body = { bulk_retry_id: freshCode(), reason, filter: { partner_codes: codes }, canary: 0 };
  const started = await http('POST', path, operatorKey, { body });
  expect(started).toMatchObject({
    status: 202,
    headers: { location: `${path}/${body.bulk_retry_id}` },
    state: { status: 'canary', dry_run: false, by: 'ana', started_by: 'ana' },
  });
  const again = await http('POST', path, operatorKey, { body: { ...body, reason: 'in other words' } });
  expect(again).toMatchObject({ status: 200, state: { reason } });
  const other = await http('POST', path, operatorKey, { body: { ...body, canary: 3, per_second: 1 } });
  expect(other.status).toBe(409);
  expect(other.body.errors.map(({ field }) => field)).toEqual(['canary', 'per_second']);
  expect(entries('startBulkRetry')).toMatchObject([
    { key: 'ana', outcome: 'started', workflow_id: `bulk-retry-${body.bulk_retry_id}` },
    { outcome: 'repeated' },
    { outcome: 'conflict: request' },
  ]);
});

test('it reports each payout as JSON lines and as CSV', async () => {
  const codes = await failedOf('shop', 2);
  const id = freshCode();
  const body = { bulk_retry_id: id, reason, filter: { partner_codes: codes }, dry_run: true };
  await http('POST', path, operatorKey, { body });
  await stack.finished(id);
  const lines = await http('GET', `${path}/${id}/report`, operatorKey);
  expect(lines.headers['content-type']).toBe('application/x-ndjson');
  const parsed = lines.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as BulkRetryLine);
  expect(parsed.map(({ partner_code: code }) => code).sort()).toEqual([...codes].sort());
  const csv = await http('GET', `${path}/${id}/report`, operatorKey, { headers: { accept: 'text/csv' } });
  expect(csv.headers['content-type']).toContain('text/csv');
  expect(csv.text.split('\n')[0]).toBe('partner_code,value,cause,words,attempt,outcome,detail,at');
  expect(csv.text).toContain(`${codes[0] ?? ''},150.25,service_error,`);
});

test('an OMS retries what it has started itself, and nothing of others', async () => {
  const [own = ''] = await failedOf('shop');
  const [others = ''] = await failedOf('market');
  const id = freshCode();
  const body = { bulk_retry_id: id, reason, filter: { partner_codes: [own, others] }, dry_run: true };
  const started = await http('POST', path, omsKey, { body });
  expect(started).toMatchObject({ status: 202, state: { filter: { owner: 'shop' }, started_by: 'shop' } });
  await stack.finished(id);
  const { text } = await http('GET', `${path}/${id}/report`, omsKey);
  expect(text).toContain(own);
  expect(text).not.toContain(others);

  const foreign = { bulk_retry_id: freshCode(), reason, filter: { owner: 'market' } };
  const refused = await http('POST', path, omsKey, { body: foreign });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'filter.owner' }] } });
  for (const address of [`${path}/${id}`, `${path}/${id}/report`]) {
    expect((await http('GET', address, otherOmsKey)).status).toBe(404);
  }
  const paused = await http('POST', `${path}/${id}/pause`, otherOmsKey, { body: { reason } });
  expect(paused.status).toBe(404);
});

test('it is paused, resumed and stopped with a reason, which is written down', async () => {
  const codes = await failedOf('shop', 2);
  const id = freshCode();
  const body = { bulk_retry_id: id, reason, filter: { partner_codes: codes }, canary: 1 };
  await http('POST', path, operatorKey, { body });
  await stack.until(id, ({ counts }) => counts.retried === 1);
  expect((await http('POST', `${path}/${id}/pause`, operatorKey, { body: {} })).status).toBe(400);
  const decide = (name: string) =>
    http('POST', `${path}/${id}/${name}`, operatorKey, { body: { reason: 'wait' } });
  expect(await decide('pause')).toMatchObject({ status: 200, state: { status: 'paused' } });
  expect(await decide('resume')).toMatchObject({ status: 200, state: { status: 'canary' } });
  expect((await decide('resume')).body).toMatchObject({ status: 409, reason: 'NotPaused' });
  const stopped = await decide('stop');
  expect(stopped).toMatchObject({ status: 200, state: { status: 'stopped' } });
  expect(stopped.state.timeline.at(-1)).toMatchObject({ by: 'ana', reason: 'wait' });
  expect(entries('resumeBulkRetry')).toMatchObject([
    { outcome: 'accepted' },
    { outcome: 'refused: NotPaused' },
  ]);
  expect(await stack.timesRetried(codes, 1)).toBe(1);
  stack.settle(codes, 'done');
  await stack.finished(id);
});

test('one that nobody knows is not found, and one without a reason is refused', async () => {
  expect((await http('GET', `${path}/nobody`, operatorKey)).status).toBe(404);
  const answer = await http('POST', path, operatorKey, { body: { bulk_retry_id: freshCode() } });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'reason' }] } });
});
