import { describe, expect, test } from 'vitest';
import type { ExportedPayout } from '../../../src/cli/export/exported-payout.js';
import type { OurPayouts } from '../../../src/cli/export/our-payouts.js';
import { PayoutJoin } from '../../../src/cli/export/payout-join.js';
import { rememberedRecords } from '../../../src/cli/export/recent-records.js';
import { Totals } from '../../../src/cli/export/totals.js';
import type { PaymentListing } from '../../../src/client.js';
import type { ListedPayout } from '../../../src/contract/payout-list.js';

const minute = 60_000;
const day = 24 * 60 * minute;
const nowMs = Date.parse('2026-11-30T12:00:00Z');
const month = { fromMs: nowMs - 30 * day, toMs: nowMs };
const iso = (ms: number) => new Date(ms).toISOString();

function record(id: number, claimedMs: number, other: Partial<ListedPayout> = {}): ListedPayout {
  return {
    ...{ id: String(id), partner_code: `p-${String(id)}`, status: 'done', provider: null },
    ...{ value: '10.00', fee: '0.10', tax: '0.00', total: '10.10' },
    ...{ claimed_at: iso(claimedMs), paid_at: null, ...other },
  };
}

function payout(id: number, startedMs: number, other: Partial<PaymentListing> = {}): PaymentListing {
  const code = `p-${String(id)}`;
  return {
    ...{ kind: 'payout', partner_code: code, workflow_id: `payout-${code}`, service_id: String(id) },
    ...{ status: 'done', attention: null, cause: null, value: 10, started_by: 'oms' },
    ...{ started_at: iso(startedMs), updated_at: null, closed: false, closed_as: null, ...other },
  };
}

/** Search over these, which are sorted by their start, the latest first. Its times are texts, as in a query. */
function searchOf(payouts: readonly PaymentListing[], firstStarts: Record<string, number> = {}): OurPayouts {
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- as an answer of search
    async *payoutsStarted(fromMs, beforeMs) {
      const [from, before] = [iso(fromMs), iso(beforeMs)];
      yield payouts.filter(({ started_at: at }) => at >= from && at < before);
    },
    payoutsOf: (codes, ids) =>
      Promise.resolve(
        payouts.filter(
          ({ partner_code: code, service_id: id }) => codes.includes(code ?? '') || ids.includes(id ?? ''),
        ),
      ),
    firstStartedMs: (code) => Promise.resolve(firstStarts[code]),
  };
}

async function joined(
  parts: readonly (readonly ListedPayout[])[],
  ours: OurPayouts,
  period = month,
): Promise<ExportedPayout[]> {
  const join = new PayoutJoin(ours, period, nowMs);
  const lines: ExportedPayout[] = [];
  for (const part of parts) for await (const some of join.take(part)) lines.push(...some);
  for await (const some of join.finish()) lines.push(...some);
  return lines;
}

const seen = (lines: readonly ExportedPayout[]) =>
  lines.map((line) => [line.partner_code, line.attempt, line.difference]);

describe('the list is joined with our payouts', () => {
  test('a retry is found days after the start of its payout, and stands beside the first attempt', async () => {
    const retry = record(2, nowMs - day, { partner_code: 'p-1-r2' });
    const first = record(1, nowMs - 5 * day, { status: 'error' });
    const between = record(3, nowMs - 3 * day);
    const ours = searchOf([payout(3, nowMs - 3 * day), payout(1, nowMs - 5 * day, { service_id: '2' })]);
    expect(seen(await joined([[retry], [between], [first]], ours))).toEqual([
      ['p-3', 1, null],
      ['p-1', 2, null],
      ['p-1', 1, null],
    ]);
  });

  test('a payout that went on in a new run is joined at its first start', async () => {
    const ours = searchOf([payout(1, nowMs - day)], { 'p-1': nowMs - 9 * day });
    const parts = [[record(2, nowMs - 2 * day)], [record(1, nowMs - 9 * day)], [record(3, nowMs - 10 * day)]];
    expect(seen(await joined(parts, ours))).toEqual([
      ['p-2', null, 'not_ours'],
      ['p-1', 1, null],
      ['p-3', null, 'not_ours'],
    ]);
    expect(seen(await joined([[], []], ours))).toEqual([['p-1', null, 'only_ours']]);
  });

  test('of the runs that a reset leaves, the latest counts', async () => {
    const ours = searchOf(
      [
        payout(1, nowMs - day, { status: 'claimed' }),
        payout(1, nowMs - 9 * day, { status: 'error', closed: true, closed_as: 'terminated' }),
      ],
      { 'p-1': nowMs - 9 * day },
    );
    const lines = await joined([[record(1, nowMs - 9 * day)]], ours);
    expect(lines).toMatchObject([
      { partner_code: 'p-1', our_status: 'claimed', difference: 'another_status' },
    ]);
  });

  test('what pages show twice while they shift counts once', async () => {
    const twice = record(1, nowMs - 2 * day);
    const ours = searchOf([payout(1, nowMs - 2 * day), payout(2, nowMs - 4 * day)]);
    const parts = [[twice], [record(2, nowMs - 4 * day)], [twice, record(2, nowMs - 4 * day)]];
    expect(seen(await joined(parts, ours))).toEqual([
      ['p-1', 1, null],
      ['p-2', 1, null],
    ]);
  });

  test('a record without a code is ours by its identifier, or nobody’s', async () => {
    const nameless = { partner_code: null };
    const ours = searchOf([payout(1, nowMs - 2 * day)]);
    const part = [record(1, nowMs - 2 * day, nameless), record(2, nowMs - 3 * day, nameless)];
    const lines = await joined([part], ours);
    expect(seen(lines)).toEqual([
      [null, null, 'not_ours'],
      ['p-1', null, null],
    ]);
  });

  test('a card number is not shown as the code or the identifier of what is not ours', async () => {
    const card = '5555555555554444';
    const ours = searchOf([payout(1, nowMs - 2 * day, { partner_code: `a-${card}`, service_id: card })]);
    const own = record(1, nowMs - 2 * day, { id: card, partner_code: `a-${card}` });
    const foreign = record(2, nowMs - 3 * day, { id: '6011111111111117', partner_code: `b-${card}` });
    const shown = (await joined([[own, foreign]], ours)).map((line) => [line.partner_code, line.service_id]);
    expect(shown).toEqual([
      [`a-${card}`, card],
      ['b-…', '…'],
    ]);
  });

  test('the identifier of each attempt of ours is shown, of the first as well', async () => {
    const first = record(1, nowMs - 5 * day, { id: '6011111111111117' });
    const retry = record(2, nowMs - day, { partner_code: 'p-1-r2' });
    const ours = searchOf([payout(1, nowMs - 5 * day, { service_id: '2' })]);
    const lines = await joined([[retry], [first]], ours);
    expect(lines.map((line) => [line.service_id, line.difference])).toEqual([
      ['2', 'two_attempts_done'],
      ['6011111111111117', 'two_attempts_done'],
    ]);
  });

  test('a record lies in exactly one of two periods, whatever way its time is written', async () => {
    const midnight = Date.parse('2026-11-15T00:00:00Z');
    const times = ['2026-11-14T23:59:59', '2026-11-15T00:00:00', '2026-11-14T21:00:00-03:00', null];
    const part = times.map((claimed_at, at) => record(at, 0, { claimed_at }));
    const ours = searchOf([]);
    const before = await joined([part], ours, { ...month, toMs: midnight });
    const after = await joined([part], ours, { ...month, fromMs: midnight });
    expect(before.map(({ service_id: id }) => id)).toEqual(['0']);
    expect(after.map(({ service_id: id }) => id)).toEqual(['1', '2', '3']);
  });

  test('a payout of the period is not only ours because its record lies after the period', async () => {
    const ours = searchOf([payout(1, nowMs - 10 * day - minute)]);
    const period = { ...month, toMs: nowMs - 10 * day };
    expect(await joined([[record(1, nowMs - 10 * day + minute)]], ours, period)).toEqual([]);
  });

  test('a list that holds nothing leaves what is only ours', async () => {
    expect(seen(await joined([[]], searchOf([payout(1, nowMs - day)])))).toEqual([
      ['p-1', null, 'only_ours'],
    ]);
    expect(await joined([[]], searchOf([]))).toEqual([]);
  });

  test('a moment after it was started nothing is reported of a payout that only one side shows', async () => {
    const lines = await joined([[record(1, nowMs - 1_000)]], searchOf([payout(2, nowMs - 1_000)]));
    expect(seen(lines)).toEqual([['p-1', null, null]]);
  });

  test('a part that shows no time is no list to count on', async () => {
    const part = [record(1, 0, { claimed_at: 'yesterday' })];
    await expect(joined([part], searchOf([]))).rejects.toThrow('could not be read completely');
  });
});

test('50,000 payouts are joined while the records of some minutes are held, and summed to the centavo', async () => {
  const count = 50_000;
  const stepMs = Math.floor((30 * day) / count);
  const startedMs = (id: number) => nowMs - 2 * minute - id * stepMs;
  const none = searchOf([]);
  const ours: OurPayouts = {
    ...none,
    // eslint-disable-next-line @typescript-eslint/require-await -- as an answer of search
    async *payoutsStarted(fromMs, beforeMs) {
      const newest = Math.max(0, Math.ceil((nowMs - 2 * minute - beforeMs + 1) / stepMs));
      for (let id = newest; id < count && startedMs(id) >= fromMs; id += 500) {
        const ids = Array.from({ length: 500 }, (_, at) => id + at);
        yield ids
          .filter((each) => each < count && startedMs(each) >= fromMs)
          .map((each) => payout(each, startedMs(each)));
      }
    },
  };
  const join = new PayoutJoin(ours, { fromMs: nowMs - 31 * day, toMs: nowMs }, nowMs);
  const totals = new Totals();
  let most = 0;
  const add = async (lines: AsyncIterable<ExportedPayout[]>) => {
    for await (const some of lines) for (const line of some) totals.add(line);
  };
  for (let id = 0; id < count; id += 1_000) {
    await add(
      join.take(Array.from({ length: 1_000 }, (_, at) => record(id + at, startedMs(id + at) + 5_000))),
    );
    most = Math.max(most, join.held);
  }
  await add(join.finish());
  expect(most).toBeLessThan(rememberedRecords + 3_000);
  expect(join.held).toBeLessThanOrEqual(rememberedRecords);
  expect(totals.view()).toMatchObject({
    listed: { count, value: '500000.00', fee: '5000.00', tax: '0.00', total: '505000.00' },
    differences: { not_ours: { count: 0 }, only_ours: { count: 0 }, another_status: { count: 0 } },
  });
});
