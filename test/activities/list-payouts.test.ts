import { expect, test } from 'vitest';
import { createScanningActivities } from '../../activities/index.js';
import { answers, startRawServer } from '../payments-service/raw-server.js';
import { depsFor, firstDispatch } from './support.js';

const not_before = '2026-05-01T00:00:00Z';
const recent = '2026-05-02T00:00:00Z';
const old = '2026-04-01T00:00:00Z';

/** A service with these pages of records; `total_pages` as it says. */
async function listOf(pages: object[][], total_pages = pages.length) {
  const server = await startRawServer((socket, request) => {
    const page = Number(/[?&]page=(\d+)/.exec(request)?.[1]);
    answers(200, JSON.stringify({ payouts: pages[page - 1] ?? [], total_pages, current_page: page }))(
      socket,
      request,
    );
  });
  const { listPayouts } = createScanningActivities(depsFor(server.url));
  const environment = firstDispatch();
  return {
    server,
    read: (page: number) => environment.run(listPayouts, { page, not_before }),
  };
}

const pagesFrom = (count: number) =>
  Array.from({ length: count }, (_, at) => [{ id: at + 1, claimed_at: recent }]);

test('some pages are read at a time, and the next part begins where they end', async () => {
  const { read, server } = await listOf(pagesFrom(7));
  const first = await read(1);
  expect(first.payouts.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
  expect(first.next_page).toBe(6);
  const second = await read(6);
  expect(second.payouts.map(({ id }) => id)).toEqual(['6', '7']);
  expect(second.next_page).toBeNull();
  expect(server.requests[5]).toContain('page=6&per_page=200&sort=created_at&direction=desc');
});

test('a record has what finance needs of it, its amounts as exact texts', async () => {
  const { read } = await listOf([
    [
      {
        ...{
          id: 7,
          partner_code: 'a-r2',
          status: 'done',
          value: 19.9,
          fee: '0.50',
          tax: 0,
          total: 0.1 + 0.2,
        },
        ...{ claimed_at: recent, paid_at: recent, provider: 'bank\u001b[31m' },
      },
    ],
  ]);
  expect((await read(1)).payouts).toEqual([
    {
      ...{ id: '7', partner_code: 'a-r2', status: 'done' },
      ...{ value: '19.90', fee: '0.50', tax: '0.00', total: 'unreadable' },
      ...{ claimed_at: recent, paid_at: recent, provider: 'bank[31m' },
    },
  ]);
});

test('a code that none of ours can be is shown without a card number', async () => {
  const codes = ['5555555555554444', 'to:5555555555554444', 'a-5555555555554444-r2', null];
  const { read } = await listOf([
    codes.map((partner_code, id) => ({ id, partner_code, claimed_at: recent })),
  ]);
  const listed = (await read(1)).payouts.map(({ partner_code }) => partner_code);
  expect(listed).toEqual(['…', 'to:…', 'a-5555555555554444-r2', null]);
});

test('what is older than asked for ends the list', async () => {
  const { read, server } = await listOf([
    [{ id: 2, claimed_at: recent }],
    [{ id: 1, claimed_at: old }],
    [{ id: 0 }],
  ]);
  expect((await read(1)).next_page).toBeNull();
  expect(server.requests).toHaveLength(2);
});

test('a page without records, though more are announced, is a list with a hole', async () => {
  const { read } = await listOf([[{ id: 1, claimed_at: recent }], []], 3);
  await expect(read(1)).rejects.toThrow('page 2 is empty, and more follow');
});

test('an input that is none is refused for good', async () => {
  const { read } = await listOf([[]]);
  await expect(read(0)).rejects.toMatchObject({ type: 'InvalidInput', nonRetryable: true });
});
