import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPixPayout } from '../../activities/create-pix-payout.js';
import { createTransferPayout } from '../../activities/create-transfer-payout.js';
import { answers, type Behaviour } from '../payments-service/raw-server.js';
import { dispatched, pixPayout, transferPayout, type Given } from './support.js';

const accepted = answers(201, '{"id":4711,"status":"Claimed"}');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

describe.for([
  ['pix', createPixPayout, pixPayout],
  ['transfer', createTransferPayout, transferPayout],
] as const)('a payout by %s', ([, create, { payout, ...common }]) => {
  /** The outcome of a call that was decided, and scanned for, so many seconds ago; null for never. */
  async function sent(decided: number, scanned: number | null, worker: Given['worker'], more = {}) {
    const input = {
      ...{ ...common, payout: { ...payout, ...more }, decided_at: secondsAgo(decided) },
      scan_begun_at: scanned === null ? null : secondsAgo(scanned),
    };
    const { outcome, server } = await dispatched(create, input, { worker });
    return [outcome.outcome, server.connections()];
  }

  test.for([
    ['when_old', null, 59, null, 'answered'],
    ['when_old', null, 61, null, 'scan_first'],
    ['when_old', null, 61, 61, 'scan_first'],
    ['when_old', null, 86_400, 61, 'scan_first'],
    ['when_old', null, 61, 59, 'answered'],
    ['always', null, 0, null, 'scan_first'],
    ['always', null, 0, 61, 'scan_first'],
    ['always', null, 0, 59, 'answered'],
    // By the runbook a worker is started once Temporal is restored: of what was decided before, some may be lost.
    ['always', 10, 10, 11, 'scan_first'],
    ['always', 10, 10, 9, 'answered'],
    ['when_old', 10, 11, null, 'scan_first'],
    ['when_old', 10, 11, 10, 'answered'],
    ['when_old', 10, 9, null, 'answered'],
  ] as const)(
    'with SCAN_BEFORE_SEND=%s, by a worker that was started %s s ago, decided %s s ago, its list last scanned %s s ago: %s',
    async ([scanBeforeSend, started, decided, scanned, outcome]) => {
      const startedAt = started === null ? {} : { startedAtMs: Date.now() - started * 1_000 };
      const worker = (deps: object) => Object.assign(deps, { scanBeforeSend, ...startedAt });
      expect(await sent(decided, scanned, worker)).toEqual([outcome, outcome === 'answered' ? 1 : 0]);
    },
  );

  test('is not sent after the time that its input names', async () => {
    expect(await sent(0, null, undefined, { send_before: secondsAgo(-1) })).toEqual(['answered', 1]);
    expect(await sent(0, null, undefined, { send_before: secondsAgo(0) })).toEqual(['not_sent', 0]);
  });
});

describe('a first attempt whose workflow id may have been used before', () => {
  const page = (payouts: object[], total_pages = 1, current_page = 1) =>
    answers(200, JSON.stringify({ payouts, total_pages, current_page }));
  const of = (partner_code: string, claimedSecondsAgo: number, id = 1) => ({
    ...{ id, partner_code, status: 'done', claimed_at: secondsAgo(claimedSecondsAgo) },
  });
  const month = 31 * 86_400;
  const older: Behaviour = (socket, request) => {
    const isFirst = /[?&]page=1(&|\s)/.test(request);
    const [first, second] = [of('other', 60), of('other', month, 3)];
    const shown = isFirst
      ? page([first, of('other', month, 2)], 3)
      : page([second, of('other', month, 4)], 3, 2);
    shown(socket, request);
  };
  const slow: Behaviour = (socket, request) => {
    vi.advanceTimersByTime(10_001);
    page([of('other', 60)], 9)(socket, request);
  };

  test.for<[string, () => Behaviour, string]>([
    ['holds nothing', () => page([]), 'answered'],
    ['holds older payouts of other codes', () => older, 'answered'],
    ['holds its code', () => page([of('salary-1', 60)]), 'scan_first'],
    ['holds the code of a later attempt of it', () => page([of('salary-1-r2', 60)]), 'scan_first'],
    ['can not be read', () => answers(500), 'scan_first'],
    ['takes longer to read than may be waited for', () => slow, 'scan_first'],
  ])('when the list %s', async ([, list, expected]) => {
    const service: Behaviour = (socket, request) => {
      (request.startsWith('GET') ? list() : accepted)(socket, request);
    };
    const input = { ...pixPayout, rule_out_runs_before: 'first-run' };
    const { outcome, server } = await dispatched(createPixPayout, input, { service });
    expect(outcome.outcome).toBe(expected);
    const posts = server.requests.filter((request) => request.startsWith('POST'));
    expect(posts).toHaveLength(expected === 'answered' ? 1 : 0);
  });
});
