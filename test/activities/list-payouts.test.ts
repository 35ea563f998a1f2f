import { expect, test } from 'vitest';
import { createScanningActivities } from '../../activities/index.js';
import { startRawServer } from '../payments-service/raw-server.js';
import { depsFor, firstDispatch, listOf } from './support.js';

const not_before = '2026-05-01T00:00:00Z';
const claimed_at = '2026-05-02T00:00:00Z';
const old = '2026-04-01T00:00:00Z';

/** A service with these pages of records; `total_pages` as it says. */
async function reading(pages: object[][], total_pages = pages.length) {
  const server = await startRawServer(listOf(pages, { total_pages }));
  const { listPayouts } = createScanningActivities(depsFor(server.url));
  return { server, read: (page: number) => firstDispatch().run(listPayouts, { page, not_before }) };
}

test('some pages are read at a time, and the next part begins where they end', async () => {
  const { read, server } = await reading(Array.from({ length: 7 }, (_, at) => [{ id: at + 1, claimed_at }]));
  const parts = [await read(1), await read(6)].map(({ next_page, payouts }) => [
    ...[payouts.map(({ id }) => id).join(), next_page],
  ]);
  expect(parts).toEqual([
    ['1,2,3,4,5', 6],
    ['6,7', null],
  ]);
  expect(server.requests[5]).toContain('page=6&per_page=200&sort=created_at&direction=desc');
});

test('a record has what finance needs of it, its amounts as exact texts', async () => {
  const shown = {
    ...{ id: 7, partner_code: 'a-r2', status: 'done', value: 19.9, fee: '0.50', tax: 0, total: 0.1 + 0.2 },
    ...{ claimed_at, paid_at: claimed_at, provider: 'bank\u001b[31m' },
  };
  const { read } = await reading([[shown]]);
  expect((await read(1)).payouts).toEqual([
    {
      ...{ id: '7', partner_code: 'a-r2', status: 'done' },
      ...{ value: '19.90', fee: '0.50', tax: '0.00', total: 'unreadable' },
      ...{ claimed_at, paid_at: claimed_at, provider: 'bank[31m' },
    },
  ]);
});

test('a code that none of ours can be is shown without a card number', async () => {
  const codes = ['5555555555554444', 'to:5555555555554444', 'a-5555555555554444-r2', null];
  const { read } = await reading([codes.map((partner_code, id) => ({ id, partner_code, claimed_at }))]);
  const listed = (await read(1)).payouts.map(({ partner_code }) => partner_code);
  expect(listed).toEqual(['…', 'to:…', 'a-5555555555554444-r2', null]);
});

test('what is older than asked for ends the list', async () => {
  const { read, server } = await reading([
    [{ id: 2, claimed_at }],
    [{ id: 1, claimed_at: old }],
    [{ id: 0 }],
  ]);
  expect((await read(1)).next_page).toBeNull();
  expect(server.requests).toHaveLength(2);
});

test('a page without records, though more are announced, is a list with a hole', async () => {
  const { read } = await reading([[{ id: 1, claimed_at }], []], 3);
  await expect(read(1)).rejects.toThrow('page 2 is empty, and more follow');
});

test('an input that is none is refused for good', async () => {
  const { read } = await reading([[]]);
  await expect(read(0)).rejects.toMatchObject({ type: 'InvalidInput', nonRetryable: true });
});
