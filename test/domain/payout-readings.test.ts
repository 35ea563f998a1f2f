import { describe, expect, test } from 'vitest';
import type { PayoutShown } from '../../src/domain/misfit.js';
import { newAttempt, type Attempt } from '../../src/domain/payout-attempts.js';
import {
  adopted,
  lookedAt,
  seenByCommand,
  type Look,
  type SeenByCommand,
} from '../../src/domain/payout-readings.js';
import { newPayout, type Payout } from '../../src/domain/payout.js';

/** Payouts of 150 reais with the code P, and what the service shows of their attempts. */
const right = { partnerCode: 'P', rightCentavos: [15_000] };
const now = 1_000;
const code = (number: number) => (number === 1 ? 'P' : `P-r${String(number)}`);
const attempt = (number: number, more: Partial<Attempt>): Attempt => ({
  ...newAttempt(number, code(number), 0),
  ...more,
});
const shown = (number: number, status: string | null, more: Partial<PayoutShown> = {}): PayoutShown => ({
  ...{ service_id: `7${String(number)}`, partner_code: code(number), value_centavos: 15_000, status },
  ...more,
});
const payoutOf = (attempts: Attempt[]): Payout => ({ ...newPayout('P', 0), attempts });

const phases = ['verifying', 'unknown', 'refused', 'not_paid'] as const;

/** Attempts as "error refused": each by its status, or by its phase; of some not even a read is known, or the identifier. */
function attemptsIn(words: string): Attempt[] {
  return words.split(' ').map((word, index) => {
    const [name = '', more] = word.split('/');
    const phase = phases.find((each) => each === name);
    const [number, serviceId] = [index + 1, `7${String(index + 1)}`];
    if (phase !== undefined) return attempt(number, { phase, ...(more === 'named' && { serviceId }) });
    return attempt(number, { phase: 'known', serviceId, status: name, wasRead: more !== 'unread' });
  });
}

/** What a look shows, as "read 1 error, listed 2 done id=9"; a record may also have a code or centavos of its own. */
function seenIn(words: string): Look {
  const look: { read: Look['read'][number][]; missing: number[]; listed: PayoutShown[] | null | undefined } =
    {
      ...{ read: [], missing: [], listed: null },
    };
  for (const [, how, number, status = '', name, value = ''] of words.matchAll(
    /(read|listed|missing|no list)(?: (\d) ?(\w*))?(?: (id|code|cents)=(\w+))?/g,
  )) {
    const more = {
      ...(name === 'id' && { service_id: value === 'none' ? null : value }),
      ...(name === 'code' && { partner_code: value }),
      ...(name === 'cents' && { value_centavos: Number(value) }),
    };
    const record = shown(Number(number), status === 'none' ? null : status, more);
    if (how === 'read') look.read.push({ number: Number(number), shown: record });
    if (how === 'missing') look.missing.push(Number(number));
    if (how === 'listed') look.listed = [...(look.listed ?? []), record];
    if (how === 'no list') look.listed = undefined;
  }
  return { ...look, now };
}

function look(attempts: string, seen: string, more: Partial<Payout> = {}) {
  const payout = { ...payoutOf(attemptsIn(attempts)), ...more };
  const { change, result } = lookedAt(payout, seenIn(seen), right);
  const after = { ...payout, ...change };
  const statuses = after.attempts.map(({ phase, status }) => (phase === 'known' ? status : phase)).join(' ');
  return { change, result, statuses, news: after.news ?? [], attempts: after.attempts };
}

describe('of the attempts of a payout', () => {
  test.for([
    ['processing', 'read 1 error', 'clear', 'error'],
    ['processing', 'read 1 error, no list', 'unreadable', 'error'],
    ['claimed', 'missing 1', 'unreadable', 'claimed'],
    // What does not fit, or is not told apart, changes nothing.
    ['claimed', 'read 1 done cents=1', 'unclear', 'claimed'],
    ['claimed', 'read 1 done id=9', 'unclear', 'claimed'],
    ['claimed', 'read 1 none', 'unclear', 'claimed'],
    ['claimed', 'read 1 done id=none', 'clear', 'done'],
    ['claimed', 'read 1 processing, read 1 error', 'unclear', 'error'],
    ['unknown/named', 'read 1 done cents=1', 'unclear', 'unknown'],
    ['unknown/named', 'read 1 none', 'unclear', 'unknown'],
    ['not_paid/named', 'read 1 done', 'clear', 'done'],
    // The list shows them too.
    ['refused', 'listed 1 claimed', 'clear', 'claimed'],
    ['refused', 'listed 1 done code=Q', 'clear', 'refused'],
    ['refused', 'listed 1 done id=none', 'unclear', 'refused'],
    ['refused', 'listed 1 done cents=1', 'unclear', 'refused'],
    ['refused', 'listed 1 done, listed 1 done id=9', 'unclear', 'done'],
    ['refused', 'listed 1 error, listed 1 done id=9', 'clear', 'done'],
    ['unknown', 'listed 1 done id=none', 'unclear', 'unknown'],
    ['processing processing', 'listed 1 error, listed 2 done', 'clear', 'error done'],
    // Movement outweighs a failure, whichever of the two lags.
    ['refused error', 'read 2 processing, listed 2 error', 'clear', 'refused processing'],
    ['error', 'read 1 error, listed 1 processing', 'clear', 'processing'],
    ['error error', 'read 1 error, listed 2 error, listed 1 processing', 'clear', 'processing error'],
    ['processing error', 'read 2 error, listed 1 processing, listed 2 error', 'clear', 'processing error'],
    // What no read shows counts as listed only while no read has ever shown it.
    ['claimed/unread', 'missing 1', 'unreadable', 'claimed'],
    ['claimed/unread', 'missing 1, listed 1 done', 'clear', 'done'],
    ['claimed/unread claimed', 'missing 1, listed 2 done', 'unreadable', 'claimed done'],
    ['claimed/unread claimed', 'missing 1, listed 2 done, listed 1 claimed', 'clear', 'claimed done'],
    ['claimed', 'missing 1, listed 1 claimed', 'unreadable', 'claimed'],
    // A later attempt would not have been made, had the one before not come to nothing.
    ['verifying', 'listed 2 claimed', 'clear', 'not_paid claimed'],
    ['unknown', 'listed 3 claimed, listed 2 error', 'clear', 'not_paid error claimed'],
    ['refused unknown unknown', 'listed 3 claimed', 'clear', 'refused not_paid claimed'],
  ] as const)('that are %s, a look with %s is %s: they are %s', ([before, seen, result, statuses]) => {
    expect(look(before, seen)).toMatchObject({ result, statuses });
  });

  // Another attempt may have been made.
  test.for([
    ['processing', 'read 1 error, no list', 'processing'],
    ['claimed', 'read 1 processing, no list', 'processing'],
  ] as const)(
    'that are %s after a reset, a look with %s concludes no failure: %s',
    ([before, seen, after]) => {
      expect(look(before, seen, { owesScan: true })).toMatchObject({ result: 'unreadable', statuses: after });
    },
  );

  test('one that the list shows and that can not be followed is looked for from then on', () => {
    const { change } = look('error', 'listed 2 claimed id=none');
    expect(change).toMatchObject({ scan: { from: now, done: 0 } });
    expect(change.news?.[0]).toBe('The service lists attempt 2, of which nothing was known here.');
    expect(change.attempts).toMatchObject([{ number: 1 }, { number: 2, phase: 'verifying', listed: true }]);
  });

  test('each change is noted once, with what was found', () => {
    const { news } = look('refused', 'listed 1 done');
    expect(news).toEqual(['Found at the service: attempt 1', 'Attempt 1: submitted → done']);
    expect(look('done', 'read 1 done').news).toEqual([]);
    const { news: contradiction } = look('error', 'read 1 error, listed 1 processing');
    expect(contradiction).toHaveLength(2);
    expect(look('error', 'read 1 error').attempts[0]).not.toHaveProperty('isContradicted');
    const whatOf = (status: string) => look('claimed', `read 1 ${status}`).change.what;
    expect([whatOf('claimed'), whatOf('done')]).toEqual(['Read at the service.', undefined]);
  });

  test.for<[string, string, object]>([
    ['claimed', 'listed 1 done', { listFault: null, listId: null }],
    ['claimed', 'listed 1 done id=L1', { listId: 'L1', serviceId: '71' }],
    ['claimed', 'listed 1 done, listed 1 error', { listFault: 'The service lists P 2 times.' }],
    [
      ...(['refused', 'listed 1 error, listed 1 processing id=78'] as const),
      { serviceId: '78', listFault: 'The service lists P 2 times.' },
    ],
    ['claimed', 'read 1 done cents=1', { misfit: expect.stringMatching(/ \(done\)$/) as string }],
    ['claimed', 'read 1 none cents=1', { misfit: expect.stringMatching(/ \(no status\)$/) as string }],
    ['error', 'read 1 error, listed 1 processing', { isContradicted: true }],
    ['error done', 'read 1 claimed', { revived: true, wasDone: false }],
  ])('that are %s, a look with %s keeps of the first: %j', ([before, seen, kept]) => {
    expect(look(before, seen).attempts[0]).toMatchObject(kept);
  });

  test('one that fits again has no misfit any more', () => {
    const payout = payoutOf([{ ...attempt(1, { phase: 'known', serviceId: '71' }), misfit: 'x' }]);
    expect(lookedAt(payout, seenIn('read 1 done'), right).change.attempts).toMatchObject([{ misfit: null }]);
  });

  test('what is given is left as it is', () => {
    const payout = payoutOf(attemptsIn('processing'));
    const before = structuredClone(payout);
    lookedAt(payout, seenIn('read 1 error, listed 2 done'), right);
    expect(payout).toEqual(before);
  });
});

const underL1 = shown(1, 'claimed', { service_id: 'L1' });
const known = {
  ...({
    phase: 'known',
    serviceId: '71',
    listId: 'L1',
    status: 'claimed',
    listed: true,
    error: null,
  } as const),
};

test.for<[Partial<Attempt>, Parameters<typeof adopted>[2], Partial<Attempt>]>([
  [{ error: 'no answer' }, { shown: underL1, wasRead: false }, known],
  [{}, { shown: shown(1, 'claimed'), wasRead: true }, { wasRead: true, listId: null, status: 'claimed' }],
  [{}, { shown: shown(1, null), wasRead: true }, { phase: 'known', status: null }],
  [{ listId: 'L0' }, { shown: underL1, wasRead: false }, { listId: 'L0' }],
])('an attempt with %j, which an operator has found as %j, is followed as %j', ([before, found, after]) => {
  const payout = payoutOf([attempt(1, { phase: 'unknown', ...before })]);
  expect(adopted(payout, '71', found, right).attempts).toMatchObject([after]);
});

describe('a command that has seen of an attempt without a read', () => {
  const unread = payoutOf(attemptsIn('claimed/unread'));
  const denied = payoutOf(attemptsIn('unknown/named'));
  const other = (more: Partial<PayoutShown> = {}) => shown(1, 'processing', { service_id: '99', ...more });
  const after = (payout: Payout, seen: Partial<SeenByCommand>) =>
    seenByCommand(payout, { own: null, records: [], ...seen }, right);
  const nameless = other({ partner_code: null });
  const lost = { status: null, phase: 'unknown' } as const;
  const unseen = { status: 'claimed', wasRead: false, misfit: null, listed: false };
  const listed = { ...unseen, listed: true };

  test.for<[string, Payout, Partial<SeenByCommand>, Partial<Attempt>]>([
    ['nothing', unread, {}, unseen],
    ['movement', unread, { own: shown(1, 'done') }, { status: 'done', wasRead: true }],
    ['movement of one that was lost', denied, { own: shown(1, 'done') }, { phase: 'known', status: 'done' }],
    ['a failure', unread, { own: shown(1, 'error') }, unseen],
    ['no status', unread, { own: shown(1, null) }, unseen],
    ['another value', unread, { own: shown(1, 'done', { value_centavos: 1 }) }, unseen],
    ['its code under another identifier', unread, { records: [other()] }, listed],
    ['its code and another value', unread, { records: [other({ value_centavos: 1 })] }, listed],
    ['its code behind another record', denied, { records: [nameless, other()] }, { ...listed, ...lost }],
    ['a record of another payout', unread, { records: [other({ partner_code: 'Q' })] }, unseen],
    ['a record that shows no code', unread, { records: [nameless] }, unseen],
  ])('%s', ([, payout, seen, expected]) => {
    const attempts = after(payout, seen).attempts?.map((each) => ({ listed: false, ...each }));
    expect(attempts).toMatchObject([expected]);
  });

  test.for<[string, PayoutShown[], boolean]>([
    ['nothing', [], false],
    ['its own identifier moving', [shown(1, 'processing')], false],
    ['another identifier moving', [other()], true],
    ['no identifier, and movement', [other({ service_id: null })], true],
    ['another identifier without a status', [other({ status: null })], true],
    ['another identifier failed', [other({ status: 'error' })], false],
    ['another payout moving', [other({ partner_code: 'Q' })], false],
  ])('that has seen %s owes a scan, or does not', ([, records, owes]) => {
    expect(after(unread, { records }).owesScan).toBe(owes);
    expect(after({ ...unread, owesScan: true }, { records }).owesScan).toBe(true);
  });

  test('has seen nothing of the attempt before', () => {
    const payout = payoutOf(attemptsIn('refused unknown'));
    expect(after(payout, { records: [shown(1, 'done')] }).attempts).toEqual(payout.attempts);
  });
});
