import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { batchFromJson } from '../../../src/client/batch-json.js';
import { rowsOf } from '../../../src/client/batch-rows.js';
import { InvalidRequestError } from '../../../src/client/errors.js';
import { checkBatch } from '../../../src/client/payout-batch.js';
import { batchLimits } from '../../../src/domain/batch-limits.js';
import { pixPayout } from '../../gateway/requests.js';
import { test } from '../../support/gateway-without-temporal.js';

const boundMs = 1_000;
const rowsAndOne = batchLimits.rows + 1;

/** A body as it comes from a socket, and how much of it was read. */
function upload(head: string, unit: string, bytes: number = batchLimits.bodyBytes) {
  const read = { bytes: 0 };
  const chunk = Buffer.from(unit.repeat(Math.max(1, Math.floor(65_536 / unit.length))));
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head);
    while (read.bytes < bytes) {
      await turn();
      read.bytes += chunk.length;
      yield chunk;
    }
  }
  return { body: body(), read };
}

/** How many turns others get meanwhile, and the longest time without one, of the processor: the machine may be busy. */
async function turnsDuring(run: () => Promise<unknown>): Promise<{ turns: number; longest: number }> {
  let longest = 0;
  let turns = 0;
  let running = true;
  onTestFinished(() => {
    running = false;
  });
  const watch = (async () => {
    let last = process.cpuUsage().user / 1_000;
    while (running) {
      await turn();
      const now = process.cpuUsage().user / 1_000;
      longest = Math.max(longest, now - last);
      last = now;
      turns += 1;
    }
  })();
  await run();
  running = false;
  await watch;
  return { turns, longest };
}

const parsers = {
  csv: (body: AsyncIterable<Uint8Array>) => rowsOf('csv', body),
  jsonl: (body: AsyncIterable<Uint8Array>) => rowsOf('jsonl', body),
  json: (body: AsyncIterable<Uint8Array>) => batchFromJson(body),
};

describe('a file of 16 MB', () => {
  const tooMany: [keyof typeof parsers, string, string][] = [
    ['csv', 'method\n', 'a\n'],
    ['csv', 'method,pix,value\n', 'pix,a@b.io,1\n'],
    ['jsonl', '', '{}\n'],
    ['jsonl', '', '{"method":"pix","value":1}\n'],
    ['json', '{"batch_id":"a","payouts":[1', ',1'],
    ['json', '{"batch_id":"a","payouts":[{}', ',{}'],
  ];
  test.for(tooMany)(
    'as %s that begins %j and goes on with %j ends at the first row too many',
    async (row) => {
      const [format, head, unit] = row;
      const { body, read } = upload(head, unit);
      let found: unknown;
      const { longest: stopped } = await turnsDuring(async () => (found = await parsers[format](body)));
      const rows = format === 'json' ? (found as { payouts: unknown[] }).payouts : (found as unknown[]);
      expect(rows.length).toBeGreaterThanOrEqual(rowsAndOne);
      expect(read.bytes).toBeLessThan(1_000_000);
      expect(stopped).toBeLessThan(boundMs);
    },
  );

  const tooLong: [keyof typeof parsers, string, string][] = [
    ['csv', 'method\n', 'a'],
    ['csv', 'method\n', '"a'],
    ['csv', 'method\n', ','],
    ['csv', '', 'a'],
    ['csv', '', 'a,'],
    ['csv', '', '"\n'],
    ['jsonl', '', 'a'],
    ['jsonl', '', '[1,'],
    ['json', '', '['],
    ['json', '', '[1,'],
    ['json', '{"payouts":[', '['],
    ['json', '{"payouts":["', 'a'],
    ['json', '{"batch_id":[1', ',1'],
    ['json', '{"payouts":[1', ' '],
    ['json', '{"payouts":[{"a":1', ',"a":1'],
    ['json', '{"payouts":[], "a":1', ',"a":1'],
    ['json', '{"payouts":[', '\\'],
  ];
  test.for(tooLong)(
    'as %s that begins %j and goes on with %j is refused early',
    async ([format, head, unit]) => {
      const { body, read } = upload(head, unit);
      const { longest: stopped } = await turnsDuring(async () => {
        const answer = await parsers[format](body).catch((error: unknown) => error);
        // The same few fields over and over are no row, and no memory.
        if (!head.includes('[], ')) {
          expect(answer).toBeInstanceOf(InvalidRequestError);
          expect(read.bytes).toBeLessThan(1_000_000);
        }
      });
      expect(stopped).toBeLessThan(boundMs);
    },
  );
});

describe('a file that comes in one piece', () => {
  const long = 'x'.repeat(4_000);
  const lines = (line: string) => Array.from({ length: 500 }, () => line).join('\n');
  test.for<[keyof typeof parsers, string]>([
    ['csv', `method,pix\n${lines(`pix,${long}`)}`],
    ['jsonl', lines(JSON.stringify({ pix: long }))],
    ['json', JSON.stringify({ payouts: Array.from({ length: 500 }, () => ({ pix: long })) })],
  ])('as %s is read in many turns, between which others get theirs', async ([format, text]) => {
    const whole = (async function* () {
      await turn();
      yield Buffer.from(text);
    })();
    // 2 MB, of which no turn takes more than a few thousand characters.
    expect((await turnsDuring(() => parsers[format](whole))).turns).toBeGreaterThan(200);
  });
});

describe('a batch of rows whose texts are as long as they may be', () => {
  // Together they take a multiple of the time after which others get a turn, on any machine.
  test.for(['\u0301\u0323', '4 4 ', '%34', 'é '])('of %j is refused in many turns', async (unit) => {
    const notify = { webhook: `${unit.repeat(2_047 / unit.length)}\u202e` };
    const payouts = Array.from({ length: 2_000 }, () => ({ ...pixPayout(), method: 'pix', notify }));
    let answer: unknown;
    const refused = async () =>
      (answer = await checkBatch({ batch_id: 'long', payouts }).catch((error: unknown) => error));
    expect((await turnsDuring(refused)).turns).toBeGreaterThan(5);
    expect(answer).toBeInstanceOf(InvalidRequestError);
  });
});

describe('a row that is too long', () => {
  const tooLong = 'x'.repeat(batchLimits.rowLength + 1);
  test.for<[Exclude<keyof typeof parsers, 'json'>, string, number]>([
    ['csv', `method,pix\npix,${tooLong}\n`, 2],
    ['jsonl', `{"pix":1}\n{"pix":"${tooLong}"}\n`, 2],
  ])('as %s is refused by its line', async ([format, text, line]) => {
    await expect(rowsOf(format, [text])).rejects.toThrow(
      `line ${String(line)} is longer than ${String(batchLimits.rowLength)} characters`,
    );
  });
});

describe('a batch as JSON', () => {
  const read = (text: string) => batchFromJson([text]);

  test('is read as it is, in whatever order and in pieces', async () => {
    const batch = {
      payouts: [{ value: 1.5, notify: { webhook: 'é' } }, 'x'],
      batch_id: 'a',
      starts_per_second: 5,
    };
    expect(await read(JSON.stringify(batch))).toEqual(batch);
    const bytes = [...Buffer.from(JSON.stringify(batch))].map((byte) => Uint8Array.of(byte));
    expect(await batchFromJson(bytes)).toEqual(batch);
    expect(await read('{"batch_id":"a","payouts":[]}')).toEqual({ batch_id: 'a', payouts: [] });
    expect(await read('{"batch_id":"a"}')).toEqual({ batch_id: 'a' });
  });

  test.for([
    '',
    'null',
    '1',
    '[]',
    '[1]',
    '{',
    '{"payouts":[1',
    '{"a":1}}',
    'a',
    '{"payouts":{"a":1}}',
    '{"a":4111111111111111',
  ])('is no %s, and that is refused without repeating it', async (text) => {
    const answer = await read(text).catch((error: unknown) => error);
    if (answer instanceof InvalidRequestError) expect(String(answer)).not.toContain('4111');
    else expect(answer).not.toHaveProperty('payouts.0');
  });

  test('has no more than a few fields beside its payouts', async () => {
    const fields = Array.from({ length: 30 }, (_, number) => `,"f${String(number)}":1`).join('');
    await expect(read(`{"batch_id":"a"${fields},"payouts":[]}`)).rejects.toThrow('must be a JSON object');
  });

  test('has a field named __proto__ for a field like any other', async () => {
    const batch = await read('{"payouts":[{"__proto__":{"value":1}}],"__proto__":{"batch_id":"a"}}');
    expect(batch.batch_id).toBeUndefined();
    expect((batch.payouts as { value?: unknown }[])[0]?.value).toBeUndefined();
  });
});

test('a file of more than 16 MB is refused, and no payout of it is started', async ({ gateway }) => {
  const row = JSON.stringify({ method: 'pix', ...pixPayout() });
  const headers = { 'content-type': 'application/jsonl' };
  const send = (raw: string) => gateway.call('POST', '/v1/payout-batches?batch_id=large', { raw, headers });
  expect((await send(`${row}\n${' '.repeat(batchLimits.bodyBytes)}`)).status).toBe(413);
  // The row alone would be started, if there were a Temporal.
  expect((await send(row)).status).toBe(503);
});
