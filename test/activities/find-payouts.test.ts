import { expect, test } from 'vitest';
import { createScanningActivities } from '../../activities/index.js';
import { answers, startRawServer } from '../payments-service/raw-server.js';
import { depsFor, firstDispatch } from './support.js';

type Item = {
  id: number | string;
  partner_code?: string;
  claimed_at?: string;
  status?: string;
  value?: number;
};

const recent = '2026-05-02T00:00:00Z';
const old = '2026-04-01T00:00:00Z';
const not_before = '2026-05-01T00:00:00Z';

/** A service with these pages; `extra` overrides fields of an answer. */
async function pagesOf(
  pages: Item[][],
  extra: Record<string, unknown> = {},
  settings: { scanBeforeSend?: 'always' } = {},
) {
  const server = await startRawServer((socket, request) => {
    const page = Number(/[?&]page=(\d+)/.exec(request)?.[1]);
    const body = { payouts: pages[page - 1] ?? [], total_pages: pages.length, current_page: page, ...extra };
    answers(200, JSON.stringify(body))(socket, request);
  });
  const environment = firstDispatch();
  let heartbeats = 0;
  environment.onHeartbeat(() => {
    heartbeats += 1;
  });
  const { findPayouts } = createScanningActivities({ ...depsFor(server.url), ...settings });
  return {
    server,
    heartbeats: () => heartbeats,
    find: (...partner_codes: string[]) => environment.run(findPayouts, { partner_codes, not_before }),
    findById: (id: string) =>
      environment.run(findPayouts, { partner_codes: [], service_ids: [id], not_before }),
    findAttempts: (attempts_of: string, notBefore: string) =>
      environment.run(findPayouts, { partner_codes: [], attempts_of, not_before: notBefore }),
  };
}

test('all pages are read, newest first, with a heartbeat each', async () => {
  const { server, find, heartbeats } = await pagesOf([
    [{ id: 3, partner_code: 'c', claimed_at: recent }],
    [{ id: 2, partner_code: 'b', claimed_at: recent, status: 'done', value: 1.5 }],
    [{ id: 1, partner_code: 'a', claimed_at: recent }],
  ]);
  expect(await find('b')).toEqual({
    found: [{ service_id: '2', status: 'done', partner_code: 'b', value_centavos: 150, claimed_at: recent }],
    pages: 3,
    records: 3,
  });
  expect(heartbeats()).toBe(3);
  expect(server.requests[0]).toContain('page=1&per_page=200&sort=created_at&direction=desc');
});

test('several attempts are found in one scan', async () => {
  const { find } = await pagesOf([
    [{ id: 2, partner_code: 'a-r2', claimed_at: recent }],
    [{ id: 1, partner_code: 'a', claimed_at: recent }],
  ]);
  const { found } = await find('a', 'a-r2');
  expect(found.map(({ service_id }) => service_id)).toEqual(['2', '1']);
});

const small = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
const capitals = small.toUpperCase();

test.for([
  [small, capitals],
  [capitals, small],
] as const)('a payout that the list calls %s is found by %s', async ([id, wanted]) => {
  const { findById } = await pagesOf([[{ id }, { id: 'ord_A' }]]);
  expect((await findById(wanted)).found).toMatchObject([{ service_id: id }]);
  expect((await findById('ord_a')).found).toEqual([]);
});

test('a record that a shifting page shows twice is found once', async () => {
  const item = { id: 1, partner_code: 'a', claimed_at: recent };
  const { find } = await pagesOf([[item], [item, { id: 0 }]]);
  expect((await find('a')).found).toHaveLength(1);
});

test('the scan ends with a page of older records, each of which shows its time', async () => {
  const { find } = await pagesOf([
    [{ id: 3, claimed_at: recent }],
    [{ id: 2, claimed_at: recent }, { id: 9 }],
    [{ id: 1, partner_code: 'a', claimed_at: old }, { id: 8 }],
    [{ id: 6, claimed_at: old }],
    [{ id: 0, partner_code: 'z', claimed_at: old }],
  ]);
  expect(await find('a', 'z')).toMatchObject({ found: [{ service_id: '1' }], pages: 4 });
});

test('SCAN_BEFORE_SEND=always looks days back, for what a restored Temporal has forgotten', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
  const pages = [
    [{ id: 9, claimed_at: daysAgo(1) }],
    [{ id: 2, partner_code: 'a', claimed_at: daysAgo(2) }],
    [{ id: 1, claimed_at: daysAgo(4) }],
    [{ id: 0, partner_code: 'a-r2', claimed_at: daysAgo(5) }],
  ];
  const always = await pagesOf(pages, {}, { scanBeforeSend: 'always' });
  expect(await always.findAttempts('a', daysAgo(0))).toMatchObject({
    found: [{ service_id: '2' }],
    pages: 3,
  });
  const usual = await pagesOf(pages);
  expect(await usual.findAttempts('a', daysAgo(0))).toMatchObject({
    found: [{ service_id: '2' }],
    pages: 2,
  });
});

test.each([undefined, 'once upon a time', '2026-05-01', '2026-04-30T23:00:00'])(
  'records of the time %s do not end the scan',
  async (claimed_at) => {
    const item = { id: 1, ...(claimed_at !== undefined && { claimed_at }) };
    const { find } = await pagesOf([[item], [{ id: 2, partner_code: 'a' }]]);
    expect(await find('a')).toMatchObject({ found: [{ service_id: '2' }], pages: 2 });
  },
);

test('an empty list is a complete scan', async () => {
  const { find } = await pagesOf([[]], { total_pages: 0 });
  expect(await find('a')).toEqual({ found: [], pages: 1, records: 0 });
});

test('without a count of pages the scan goes on to the first empty one', async () => {
  const { find } = await pagesOf([[{ id: 1 }], [{ id: 2, partner_code: 'a' }]], { total_pages: null });
  expect(await find('a')).toMatchObject({ found: [{ service_id: '2' }], pages: 3, records: 2 });
});

test('a full page is not taken for the last one, whatever the count of pages', async () => {
  const full = Array.from({ length: 200 }, (_, id) => ({ id: id + 1 }));
  const { find } = await pagesOf([full, [{ id: 201, partner_code: 'a' }]], { total_pages: 1 });
  expect(await find('a')).toMatchObject({ found: [{ service_id: '201' }], pages: 2 });
});

test('a scan that cannot read a page fails', async () => {
  const server = await startRawServer((socket, request) => {
    const first = request.includes('page=1&');
    const body = { payouts: [{ id: 1, partner_code: 'a' }], total_pages: 2, current_page: 1 };
    answers(first ? 200 : 500, first ? JSON.stringify(body) : '')(socket, request);
  });
  const { findPayouts } = createScanningActivities(depsFor(server.url));
  const scan = firstDispatch().run(findPayouts, { partner_codes: ['a'], not_before });
  await expect(scan).rejects.toMatchObject({ type: 'Unreadable', nonRetryable: false });
});

test.each([
  ['another page than requested', { current_page: 7 }],
  ['no list', { payouts: 'none' }],
  ['a list with holes', { payouts: [null] }],
])('a scan that meets %s fails', async (_, extra) => {
  const { find } = await pagesOf([[], []], extra);
  await expect(find('a')).rejects.toMatchObject({ type: 'Unreadable', nonRetryable: false });
});

test('scans that come while a pass over the list is under way share the next one, which sees what is newer', async () => {
  const pages: Item[][] = [[{ id: 1, partner_code: 'a', claimed_at: recent }]];
  let passes = 0;
  let firstAsked: () => void = () => undefined;
  let answerFirst: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (firstAsked = resolve));
  const server = await startRawServer((socket, request) => {
    passes += 1;
    const answer = () => {
      answers(200, JSON.stringify({ payouts: pages[0], total_pages: 1, current_page: 1 }))(socket, request);
    };
    if (passes > 1) return answer();
    const body = JSON.stringify({ payouts: [], total_pages: 1, current_page: 1 });
    answerFirst = () => {
      answers(200, body)(socket, request);
    };
    firstAsked();
  });
  const { findPayouts } = createScanningActivities(depsFor(server.url));
  const scan = (more: object = {}) =>
    firstDispatch().run(findPayouts, { partner_codes: ['a'], not_before, ...more });
  const first = scan();
  await asked;
  const others = Array.from({ length: 20 }, () => scan());
  expect((await scan({ for_command: true })).found).toHaveLength(1);
  expect(passes).toBe(2);
  answerFirst();
  expect((await first).found).toEqual([]);
  for (const { found } of await Promise.all(others)) expect(found).toHaveLength(1);
  expect(passes).toBe(3);
});

test('a pass that fails fails each scan that shares it, and the next scan begins anew', async () => {
  let passes = 0;
  const server = await startRawServer((socket, request) => {
    passes += 1;
    const body = JSON.stringify({ payouts: [], total_pages: 1, current_page: 1 });
    answers(passes === 2 ? 500 : 200, body)(socket, request);
  });
  const { findPayouts } = createScanningActivities(depsFor(server.url));
  const scan = () => firstDispatch().run(findPayouts, { partner_codes: ['a'], not_before });
  const [first, ...shared] = [scan(), scan(), scan()];
  expect((await first)?.found).toEqual([]);
  for (const each of shared) await expect(each).rejects.toThrow();
  expect((await scan()).found).toEqual([]);
  expect(passes).toBe(3);
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const record = (id: number, ageMinutes: number | null, partner_code = 'other') => ({
  ...{ id, partner_code },
  ...(ageMinutes !== null && { claimed_at: minutesAgo(ageMinutes) }),
});
const old1 = record(1, 9_000);
const wanted = record(7, 1, 'a');

/** Lists in which the record that is looked for stands behind what is old, or has a time that is old. */
test.for<[string, Item[][], Record<string, unknown>]>([
  ['is sorted the other way', [[old1, record(2, 8_000)], [record(3, 100)], [wanted]], {}],
  ['is not sorted', [[record(3, 8_000), record(2, 2), old1], [wanted]], {}],
  ['shows one and the same time', [[old1, record(2, 9_000)], [record(7, 9_000, 'a')]], {}],
  ['shows no times', [[record(1, null)], [record(7, null, 'a')]], {}],
  ['shows times that are three hours behind', [[record(2, 180), record(3, 185)], [record(7, 200, 'a')]], {}],
  ['counts no pages', [[record(2, 1)], [wanted]], { total_pages: 0 }],
  ['has no count of pages', [[record(2, 1)], [wanted]], { total_pages: undefined }],
])('a list that %s is read to what is looked for', async ([, pages, extra]) => {
  const { findAttempts } = await pagesOf(pages, extra);
  expect((await findAttempts('a', minutesAgo(30))).found).toMatchObject([{ service_id: '7' }]);
});

test('a list that answers its last page for ever is not complete', async () => {
  const server = await startRawServer((socket, request) => {
    answers(200, JSON.stringify({ payouts: [old1] }))(socket, request);
  });
  const { findPayouts } = createScanningActivities(depsFor(server.url));
  const scan = firstDispatch().run(findPayouts, { partner_codes: ['a'], not_before });
  await expect(scan).rejects.toMatchObject({
    type: 'Unreadable',
    message: 'GET /v1/payouts: page 2 is the page before it once more.',
  });
});

test.each([
  [
    'moved to a page that was read before',
    [
      [old1, record(2, 8_000)],
      [record(2, 8_000), record(3, 7_000)],
    ],
  ],
  ['moved to a page that is read later', [[old1, record(2, 8_000)], [record(4, 7_000)], [old1]]],
])('a list in no known order of which a record has %s is not complete', async (_, pages) => {
  const { find } = await pagesOf(pages);
  await expect(find('a')).rejects.toMatchObject({
    type: 'Unreadable',
    message: 'GET /v1/payouts: records moved between its pages while it was read.',
  });
});
