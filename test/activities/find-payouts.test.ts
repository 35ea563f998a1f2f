import { expect, test } from 'vitest';
import { createActivities } from '../../activities/index.js';
import { answers, startRawServer } from '../payments-service/raw-server.js';
import { depsFor, firstDispatch } from './support.js';

type Item = { id: number; partner_code?: string; claimed_at?: string; status?: string; value?: number };

const recent = '2026-05-02T00:00:00Z';
const old = '2026-04-01T00:00:00Z';
const not_before = '2026-05-01T00:00:00Z';

/** A service with these pages; `extra` overrides fields of an answer. */
async function pagesOf(pages: Item[][], extra: Record<string, unknown> = {}) {
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
  const { findPayouts } = createActivities(depsFor(server.url));
  return {
    server,
    heartbeats: () => heartbeats,
    find: (...partner_codes: string[]) => environment.run(findPayouts, { partner_codes, not_before }),
  };
}

test('all pages are walked, newest first, with a heartbeat each', async () => {
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

test('several attempts are found in one walk', async () => {
  const { find } = await pagesOf([
    [{ id: 2, partner_code: 'a-r2', claimed_at: recent }],
    [{ id: 1, partner_code: 'a', claimed_at: recent }],
  ]);
  const { found } = await find('a', 'a-r2');
  expect(found.map(({ service_id }) => service_id)).toEqual(['2', '1']);
});

test('a record that a shifting page shows twice is found once', async () => {
  const item = { id: 1, partner_code: 'a', claimed_at: recent };
  const { find } = await pagesOf([[item], [item]]);
  expect((await find('a')).found).toHaveLength(1);
});

test('the walk ends with a page of nothing but older records', async () => {
  const { find } = await pagesOf([
    [{ id: 3, claimed_at: recent }],
    [
      { id: 2, claimed_at: recent },
      { id: 9, claimed_at: old },
    ],
    [{ id: 1, partner_code: 'a', claimed_at: old }, { id: 8 }],
    [{ id: 0, partner_code: 'z', claimed_at: old }],
  ]);
  expect(await find('a', 'z')).toMatchObject({ found: [{ service_id: '1' }], pages: 3 });
});

test.each([undefined, 'once upon a time', '2026-05-01', '2026-04-30T23:00:00'])(
  'records of the time %s do not end the walk',
  async (claimed_at) => {
    const item = { id: 1, ...(claimed_at !== undefined && { claimed_at }) };
    const { find } = await pagesOf([[item], [{ id: 2, partner_code: 'a' }]]);
    expect(await find('a')).toMatchObject({ found: [{ service_id: '2' }], pages: 2 });
  },
);

test('an empty list is a whole walk', async () => {
  const { find } = await pagesOf([[]], { total_pages: 0 });
  expect(await find('a')).toEqual({ found: [], pages: 1, records: 0 });
});

test('without a count of pages the walk goes on to the first empty one', async () => {
  const { find } = await pagesOf([[{ id: 1 }], [{ id: 2, partner_code: 'a' }]], { total_pages: null });
  expect(await find('a')).toMatchObject({ found: [{ service_id: '2' }], pages: 3, records: 2 });
});

test('a walk that cannot read a page finds nothing out', async () => {
  const server = await startRawServer((socket, request) => {
    const first = request.includes('page=1&');
    const body = { payouts: [{ id: 1, partner_code: 'a' }], total_pages: 2, current_page: 1 };
    answers(first ? 200 : 500, first ? JSON.stringify(body) : '')(socket, request);
  });
  const { findPayouts } = createActivities(depsFor(server.url));
  const walk = firstDispatch().run(findPayouts, { partner_codes: ['a'], not_before });
  await expect(walk).rejects.toMatchObject({ type: 'Unreadable', nonRetryable: false });
});

test.each([
  ['another page than asked for', { current_page: 7 }],
  ['no list', { payouts: 'none' }],
  ['a list with holes', { payouts: [null] }],
])('a walk that meets %s finds nothing out', async (_, extra) => {
  const { find } = await pagesOf([[], []], extra);
  await expect(find('a')).rejects.toMatchObject({ type: 'Unreadable', nonRetryable: false });
});
