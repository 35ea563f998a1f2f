import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPixPayout } from '../../activities/create-pix-payout.js';
import { createTransferPayout } from '../../activities/create-transfer-payout.js';
import { answers, startRawServer } from '../payments-service/raw-server.js';
import { depsFor, firstDispatch, pixInput, pixPayout, transferInput, type TestDeps } from './support.js';

const accepted = answers(201, '{"id":4711,"status":"Claimed"}');
const methods = [
  ['pix', createPixPayout, pixInput],
  ['transfer', createTransferPayout, transferInput],
] as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

describe.for(methods)('a payout by %s', ([, create, payout]) => {
  /** The outcome of a call that was decided, and scanned for, so many seconds ago; null for never. */
  async function sent(decided: number, scanned: number | null, more: Partial<TestDeps> = {}, input = {}) {
    const server = await startRawServer(accepted);
    const outcome = await firstDispatch().run(create({ ...depsFor(server.url), ...more }), {
      ...pixPayout,
      payout: { ...payout, ...input },
      decided_at: secondsAgo(decided),
      scan_begun_at: scanned === null ? null : secondsAgo(scanned),
    });
    return [outcome.outcome, server.connections()];
  }

  test.for([
    [59, null, 'answered'],
    [61, null, 'scan_first'],
    [61, 61, 'scan_first'],
    [86_400, 61, 'scan_first'],
    [61, 59, 'answered'],
  ] as const)(
    'that was decided %s s ago, its list last scanned %s s ago: %s',
    async ([decided, scanned, outcome]) => {
      expect(await sent(decided, scanned)).toEqual([outcome, outcome === 'answered' ? 1 : 0]);
    },
  );

  test.for([
    [null, 'scan_first'],
    [61, 'scan_first'],
    [59, 'answered'],
  ] as const)(
    'that was decided just now, with SCAN_BEFORE_SEND=always, its list last scanned %s s ago: %s',
    async ([scanned, outcome]) => {
      const always = { scanBeforeSend: 'always' } as const;
      expect(await sent(0, scanned, always)).toEqual([outcome, outcome === 'answered' ? 1 : 0]);
    },
  );

  test('is not sent after the time that its input names', async () => {
    expect(await sent(0, null, {}, { send_before: secondsAgo(-1) })).toEqual(['answered', 1]);
    expect(await sent(0, null, {}, { send_before: secondsAgo(0) })).toEqual(['not_sent', 0]);
  });
});

describe('a first attempt whose workflow id may have been used before', () => {
  const page = (payouts: object[], total_pages: number, current_page = 1) =>
    JSON.stringify({ payouts, total_pages, current_page });
  const of = (partner_code: string, claimedSecondsAgo: number, id = 1) => ({
    id,
    partner_code,
    status: 'done',
    claimed_at: secondsAgo(claimedSecondsAgo),
  });
  const month = 31 * 86_400;

  test.for([
    ['holds nothing', () => answers(200, page([], 1)), 'answered'],
    [
      'holds older payouts of other codes',
      (request: string) =>
        answers(
          200,
          /[?&]page=1(&|\s)/.test(request)
            ? page([of('other', 60), of('other', month, 2)], 3)
            : page([of('other', month, 3), of('other', month, 4)], 3, 2),
        ),
      'answered',
    ],
    ['holds its code', () => answers(200, page([of('salary-1', 60)], 1)), 'scan_first'],
    [
      'holds the code of a later attempt of it',
      () => answers(200, page([of('salary-1-r2', 60)], 1)),
      'scan_first',
    ],
    ['can not be read', () => answers(500), 'scan_first'],
  ] as const)('when the list %s', async ([, list, outcome]) => {
    const server = await startRawServer((socket, request) => {
      (request.startsWith('GET') ? list(request) : accepted)(socket, request);
    });
    const input = { ...pixPayout, rule_out_runs_before: 'first-run' };
    const sent = await firstDispatch().run(createPixPayout(depsFor(server.url)), input);
    expect(sent.outcome).toBe(outcome);
    const posts = server.requests.filter((request) => request.startsWith('POST'));
    expect(posts).toHaveLength(outcome === 'answered' ? 1 : 0);
  });

  test('when the list takes longer to read than may be waited for, the scan comes first', async () => {
    const server = await startRawServer((socket, request) => {
      if (request.startsWith('GET')) vi.advanceTimersByTime(10_001);
      (request.startsWith('GET') ? answers(200, page([of('other', 60)], 9)) : accepted)(socket, request);
    });
    const input = { ...pixPayout, rule_out_runs_before: 'first-run' };
    const sent = await firstDispatch().run(createPixPayout(depsFor(server.url)), input);
    expect(sent.outcome).toBe('scan_first');
  });
});
