import { expect } from 'vitest';
import type { BulkRetryLine, BulkRetryState } from '../../src/contract/bulk-retry.js';
import { test as base } from '../support/bulk-retries.js';
import { freshCode } from '../support/requests.js';
import { call, operatorKey, omsKey, otherOmsKey, type CallOptions } from './call.js';

const path = '/v1/bulk-retries';
const reason = 'the bank is back';

const test = base
  .extend(
    'http',
    ({ gateway }) =>
      async (method: 'GET' | 'POST', address: string, key: string, options: CallOptions = {}) => {
        const answer = await call(gateway.url, method, address, { key, ...options });
        return { ...answer, state: answer.body as unknown as BulkRetryState };
      },
  )
  .extend(
    'audited',
    ({ gateway }) =>
      (id: string) =>
        gateway.audit
          .filter(({ workflow_id: of }) => of === `bulk-retry-${id}`)
          .map(({ command, key, outcome }) => [command, key, outcome]),
  );

test('an operator starts one, again the same, another under its id is refused by its fields', async ({
  audited,
  bulkRetries,
  http,
}) => {
  const codes = await bulkRetries.failed(1);
  const id = freshCode();
  const body = { bulk_retry_id: id, reason, filter: { partner_codes: codes }, canary: 0 };
  const started = await http('POST', path, operatorKey, { body });
  expect(started).toMatchObject({
    status: 202,
    headers: { location: `${path}/${id}` },
    state: { status: 'canary', dry_run: false, by: 'ana', started_by: 'ana' },
  });
  const again = await http('POST', path, operatorKey, { body: { ...body, reason: 'in other words' } });
  expect(again).toMatchObject({ status: 200, state: { reason } });
  const other = await http('POST', path, operatorKey, { body: { ...body, canary: 3, per_second: 1 } });
  expect(other.status).toBe(409);
  expect(other.body.errors.map(({ field }) => field)).toEqual(['canary', 'per_second']);
  expect(audited(id)).toEqual([
    ['startBulkRetry', 'ana', 'started'],
    ['startBulkRetry', 'ana', 'repeated'],
    ['startBulkRetry', 'ana', 'conflict: request'],
  ]);
});

test('a dry run only selects and counts, and reports each payout as JSON lines and as CSV', async ({
  bulkRetries,
  http,
}) => {
  const codes = await bulkRetries.failed(2);
  const id = freshCode();
  const body = { bulk_retry_id: id, reason, filter: { partner_codes: codes }, dry_run: true };
  await http('POST', path, operatorKey, { body });
  expect(await bulkRetries.finished(id)).toMatchObject({
    ...{ status: 'finished', dry_run: true, counts: { matched: 2, pending: 2 } },
    groups: [{ cause: 'service_error', count: 2, value: 300.5 }],
  });
  const lines = await http('GET', `${path}/${id}/report`, operatorKey);
  expect(lines.headers['content-type']).toBe('application/x-ndjson');
  const parsed = lines.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as BulkRetryLine);
  expect(Object.fromEntries(parsed.map(({ outcome, partner_code: code }) => [code, outcome]))).toEqual(
    Object.fromEntries(codes.map((code) => [code, 'pending'])),
  );
  const csv = await http('GET', `${path}/${id}/report`, operatorKey, { headers: { accept: 'text/csv' } });
  expect(csv.headers['content-type']).toContain('text/csv');
  expect(csv.text.split('\n')[0]).toBe('partner_code,value,cause,words,attempt,outcome,detail,at');
  expect(csv.text).toContain(`${codes[0] ?? ''},150.25,service_error,`);
  expect(await bulkRetries.timesRetried(codes, 0)).toBe(0);
});

test('an OMS retries what it has started itself, and nothing of others', async ({ bulkRetries, http }) => {
  const [own = ''] = await bulkRetries.failed(1, 'shop');
  const [others = ''] = await bulkRetries.failed(1, 'market');
  const id = freshCode();
  const body = { bulk_retry_id: id, reason, filter: { partner_codes: [own, others] }, dry_run: true };
  const started = await http('POST', path, omsKey, { body });
  expect(started).toMatchObject({ status: 202, state: { filter: { owner: 'shop' }, started_by: 'shop' } });
  await bulkRetries.finished(id);
  const { text } = await http('GET', `${path}/${id}/report`, omsKey);
  expect(text).toContain(own);
  expect(text).not.toContain(others);

  const foreign = { bulk_retry_id: freshCode(), reason, filter: { owner: 'market' } };
  const refused = await http('POST', path, omsKey, { body: foreign });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'filter.owner' }] } });
  for (const address of [`${path}/${id}`, `${path}/${id}/report`])
    expect((await http('GET', address, otherOmsKey)).status).toBe(404);
  const paused = await http('POST', `${path}/${id}/pause`, otherOmsKey, { body: { reason } });
  expect(paused.status).toBe(404);
});

test('it is paused, resumed and stopped with a reason, which is written down; what was not retried never is', async ({
  audited,
  bulkRetries,
  http,
}) => {
  const codes = await bulkRetries.failed(2);
  const id = freshCode();
  const body = { bulk_retry_id: id, reason, filter: { partner_codes: codes }, canary: 1 };
  await http('POST', path, operatorKey, { body });
  await bulkRetries.until(id, ({ counts }) => counts.retried === 1);
  expect((await http('POST', `${path}/${id}/pause`, operatorKey, { body: {} })).status).toBe(400);
  const decide = (name: string) =>
    http('POST', `${path}/${id}/${name}`, operatorKey, { body: { reason: 'wait' } });
  expect(await decide('pause')).toMatchObject({
    status: 200,
    state: { status: 'paused', awaiting: 'resume or stop by an operator' },
  });
  expect(await decide('resume')).toMatchObject({ status: 200, state: { status: 'canary' } });
  expect((await decide('resume')).body).toMatchObject({ status: 409, reason: 'NotPaused' });
  const stopped = await decide('stop');
  expect(stopped).toMatchObject({ status: 200, state: { status: 'stopped', attention: null } });
  expect(stopped.state.timeline.at(-1)).toMatchObject({ by: 'ana', reason: 'wait' });
  expect(audited(id).filter(([command]) => command === 'resumeBulkRetry')).toEqual([
    ['resumeBulkRetry', 'ana', 'accepted'],
    ['resumeBulkRetry', 'ana', 'refused: NotPaused'],
  ]);
  expect(await bulkRetries.timesRetried(codes, 1)).toBe(1);
  bulkRetries.settle(codes, 'done');
  expect(await bulkRetries.finished(id)).toMatchObject({
    status: 'stopped',
    counts: { done: 1, pending: 1 },
  });
  expect((await bulkRetries.report(id)).map(({ outcome }) => outcome).sort()).toEqual(['done', 'pending']);
  expect((await decide('resume')).body).toMatchObject({ status: 409, reason: 'Closed' });
  expect(await bulkRetries.timesRetried(codes, 1)).toBe(1);
});
