import { expect, test } from 'vitest';
import { createScanningActivities } from '../../activities/index.js';
import { answers, startRawServer, type Behaviour } from '../payments-service/raw-server.js';
import { depsFor, firstDispatch, listOf, type TestDeps } from './support.js';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const day = 24 * 60;

/** A record of the list, at a time, so many minutes ago, or without one. */
const record = (id: number | string, at: string | number | null, partner_code = 'other') => ({
  ...{ id, partner_code },
  ...(at !== null && { claimed_at: typeof at === 'number' ? minutesAgo(at) : at }),
});

/** Scans for attempts of the payout a, which was decided upon half an hour ago. */
async function scanning(list: Behaviour, settings: Partial<TestDeps> = {}) {
  const server = await startRawServer(list);
  const { findPayouts } = createScanningActivities({ ...depsFor(server.url), ...settings });
  const find = (more: object = {}, dispatch = firstDispatch()) =>
    dispatch.run(findPayouts, { partner_codes: [], attempts_of: 'a', not_before: minutesAgo(30), ...more });
  return { find, server };
}

/** The identifiers that were found, and how many pages were read. */
async function foundIn(list: Behaviour, settings: Partial<TestDeps> = {}, more: object = {}) {
  const { found, pages } = await (await scanning(list, settings)).find(more);
  return [found.map(({ service_id }) => service_id), pages];
}

test('all pages are read, newest first, with a heartbeat each', async () => {
  const claimed_at = minutesAgo(2);
  const wanted = { ...record(2, claimed_at, 'a'), status: 'done', value: 1.5 };
  const { find, server } = await scanning(listOf([[record(3, 1)], [wanted], [record(1, 3)]]));
  const dispatch = firstDispatch();
  let heartbeats = 0;
  dispatch.onHeartbeat(() => (heartbeats += 1));
  expect(await find({ partner_codes: ['a'], attempts_of: undefined }, dispatch)).toEqual({
    found: [{ service_id: '2', status: 'done', partner_code: 'a', value_centavos: 150, claimed_at }],
    ...{ pages: 3, records: 3 },
  });
  expect(heartbeats).toBe(3);
  expect(server.requests[0]).toContain('page=1&per_page=200&sort=created_at&direction=desc');
});

const small = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
const capitals = small.toUpperCase();

test.for([
  [small, capitals],
  [capitals, small],
] as const)('a payout that the list calls %s is found by %s', async ([id, wanted]) => {
  const { find } = await scanning(listOf([[{ id }, { id: 'ord_A' }]]));
  const byId = (...service_ids: string[]) => find({ attempts_of: undefined, service_ids });
  expect((await byId(wanted)).found).toMatchObject([{ service_id: id }]);
  expect((await byId('ord_a')).found).toEqual([]);
});

const twice = record(1, 1, 'a');
const full = Array.from({ length: 200 }, (_, id) => ({ id: id + 1 }));
const [old1, old2, wanted] = [record(1, 9_000), record(2, 8_000), record(7, 1, 'a')];
const olderPage = [record(1, 9_000, 'a'), record(8, null)];
const older = [
  [record(3, 1)],
  [record(2, 2), record(9, null)],
  olderPage,
  [old1],
  [record(0, 9_000, 'a-r2')],
];
const late = [[record(2, 180), record(3, 185)], [record(7, 200, 'a')]];

test.for<[string, object[][], object, string[], number]>([
  ['with several attempts', [[record(2, 1, 'a-r2')], [twice]], {}, ['2', '1'], 2],
  ['that shifts, and shows a record twice', [[twice], [twice, record(0, null)]], {}, ['1'], 2],
  ['with a page of older records, each of which shows its time', older, {}, ['1'], 4],
  ['that is empty', [[]], { total_pages: 0 }, [], 1],
  ['with a full page, whatever the count of pages', [full, [wanted]], { total_pages: 1 }, ['7'], 2],
  // What is looked for stands behind what is old, or has a time that is old.
  ['that ascends', [[old1, old2], [record(3, 100)], [wanted]], {}, ['7'], 3],
  ['that is not sorted', [[old2, record(3, 2), old1], [wanted]], {}, ['7'], 2],
  ['of one and the same time', [[old1, record(2, 9_000)], [record(7, 9_000, 'a')]], {}, ['7'], 2],
  ['without times', [[record(1, null)], [record(7, null, 'a')]], {}, ['7'], 2],
  ['of times that are three hours behind', late, {}, ['7'], 2],
  ['that counts no pages', [[record(2, 1)], [wanted]], { total_pages: 0 }, ['7'], 3],
  ['without a count of pages', [[record(2, 1)], [wanted]], { total_pages: undefined }, ['7'], 3],
  ['whose count of pages is null', [[record(2, 1)], [wanted]], { total_pages: null }, ['7'], 3],
  // None of these is a time.
  ['of words', [[record(3, 1)], [record(2, 'once upon a time')], [wanted]], {}, ['7'], 3],
  ['of days', [[record(3, 1)], [record(2, '2026-05-01')], [wanted]], {}, ['7'], 3],
  ['of no zone', [[record(3, 1)], [record(2, minutesAgo(90).slice(0, 19))], [wanted]], {}, ['7'], 3],
])('a list %s is read to what is looked for', async ([, pages, more, found, read]) => {
  expect(await foundIn(listOf(pages, more))).toEqual([found, read]);
});

test('SCAN_BEFORE_SEND=always looks days back, for what a restored Temporal has forgotten', async () => {
  const [first, second] = [record(9, day), record(2, 2 * day, 'a')];
  const list = listOf([[first], [second], [record(1, 4 * day)], [record(0, 5 * day, 'a-r2')]]);
  const now = { not_before: minutesAgo(0) };
  expect(await foundIn(list, { scanBeforeSend: 'always' }, now)).toEqual([['2'], 3]);
  expect(await foundIn(list, {}, now)).toEqual([['2'], 2]);
});

const failing: Behaviour = (socket, request) => {
  const first = listOf([[twice], []]);
  (request.includes('page=1&') ? first : answers(500))(socket, request);
};
const endless = 'GET /v1/payouts: page 2 is the page before it once more.';
const moved = 'GET /v1/payouts: records moved between its pages while it was read.';

test.for<[string, Behaviour, string]>([
  ['a page that can not be read', failing, ''],
  [
    'another page than requested',
    listOf([[old1], [wanted]], { current_page: 7 }),
    'another page than asked for',
  ],
  ['no list', listOf([[], []], { payouts: 'none' }), ''],
  ['a list with holes', listOf([[], []], { payouts: [null] }), ''],
  ['its last page for ever', answers(200, JSON.stringify({ payouts: [old1] })), endless],
  ['a record on a page before', listOf([[old1, old2], [old2, record(3, 7_000)], []]), moved],
  ['a record on a page behind', listOf([[old1, old2], [record(4, 7_000)], [old1]]), moved],
])('a scan that meets %s is not complete, and fails', async ([, list, message]) => {
  const { find } = await scanning(list);
  await expect(find()).rejects.toMatchObject({
    ...{ type: 'Unreadable', nonRetryable: false, message: expect.stringContaining(message) as string },
  });
});

test('scans that come while a pass over the list is under way share the next one, which sees what is newer', async () => {
  let passes = 0;
  let firstAsked: () => void = () => undefined;
  let answerFirst: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (firstAsked = resolve));
  const { find } = await scanning((socket, request) => {
    passes += 1;
    if (passes > 1) {
      listOf([[twice, record(2, 1, 'b')]])(socket, request);
      return;
    }
    answerFirst = () => {
      listOf([[]])(socket, request);
    };
    firstAsked();
  });
  const first = find();
  await asked;
  const looked = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'a' : 'b'));
  const others = looked.map((code) => find({ attempts_of: code }));
  expect((await find({ for_command: true })).found).toHaveLength(1);
  expect(passes).toBe(2);
  answerFirst();
  expect((await first).found).toEqual([]);
  const each = (await Promise.all(others)).map(({ found }) => found.map(({ partner_code }) => partner_code));
  expect(each).toEqual(looked.map((code) => [code]));
  expect(passes).toBe(3);
});

test('a pass that fails fails each scan that shares it, and the next scan begins anew', async () => {
  let passes = 0;
  const { find } = await scanning((socket, request) => {
    passes += 1;
    (passes === 2 ? answers(500) : listOf([[]]))(socket, request);
  });
  const [first, ...shared] = [find(), find(), find()];
  expect((await first)?.found).toEqual([]);
  for (const each of shared) await expect(each).rejects.toThrow();
  expect((await find()).found).toEqual([]);
  expect(passes).toBe(3);
});
