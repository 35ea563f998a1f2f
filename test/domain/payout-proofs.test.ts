import { expect, test } from 'vitest';
import { newAttempt, type Attempt } from '../../src/domain/payout-attempts.js';
import { isDoubtful, nextAttempt, notProvenFailed, sendVerdict } from '../../src/domain/payout-proofs.js';
import { failed, newPayout, type Payout } from '../../src/domain/payout.js';

const first = newPayout('P', 0);
const refused: Payout = { ...first, ...failed(first, 'refused', '422') };
const again: Payout = {
  ...refused,
  ...nextAttempt(refused, 'P', { input: {}, now: 60_000, provenAt: 60_000, scale: 1 }),
};
const moving: Attempt = { ...newAttempt(1, 'P', 0), phase: 'known', serviceId: '7', status: 'processing' };
const withLatest = (payout: Payout, latest: Partial<Attempt>): Payout => ({
  ...payout,
  attempts: payout.attempts.map((each, index, { length }) =>
    index === length - 1 ? { ...each, ...latest } : each,
  ),
});
const overtaken: Payout = { ...again, attempts: [moving, ...again.attempts.slice(1)] };
const listed = withLatest(again, { listed: true });

test.for([
  ['shows all previous ones as failed', again, 'submit', 'clear', 'send'],
  ['shows that it has none before it', first, 'submit', 'clear', 'send'],
  ['shows that it was sent already', again, 'follow', 'clear', 'moved_on'],
  ['shows a previous one moving', overtaken, 'submit', 'clear', 'previous_moved'],
  ['shows a previous one moving, and fails for another', overtaken, 'submit', 'unreadable', 'previous_moved'],
  ['lists it, and it does not fit', listed, 'submit', 'clear', 'listed'],
  ['lists it, and all is unclear', listed, 'submit', 'unclear', 'listed'],
  ['shows what does not fit', again, 'submit', 'unclear', 'unclear'],
  ['does not work', again, 'submit', 'unreadable', 'unclear'],
] as const)('an attempt is to be sent, and a fresh look %s', ([, payout, stage, result, verdict]) => {
  expect(sendVerdict(payout, { result, stage, tookMs: 60_000 })).toBe(verdict);
});

test('what a look shows that took more than a minute may have changed since', () => {
  const slow = { stage: 'submit', tookMs: 60_001 } as const;
  expect(sendVerdict(again, { ...slow, result: 'clear' })).toBe('too_slow');
  expect(sendVerdict(listed, { ...slow, result: 'clear' })).toBe('listed');
});

const look = { stage: 'decide', status: 'error', result: 'clear', isInconsistent: false } as const;
const moved = { ...look, stage: 'follow', status: 'processing' } as const;

test.for([
  ['shows that all have failed', look, undefined],
  ['shows that one moves', moved, 'AlreadyMoving'],
  ['shows that one is done', { ...look, stage: 'watch', status: 'done' }, 'AlreadyMoving'],
  ['does not work', { ...look, result: 'unreadable' }, 'CouldNotRead'],
  ['does not fit', { ...look, result: 'unclear' }, 'CouldNotRead'],
  ['fits, and what did not fit before was seen by nobody', { ...look, isInconsistent: true }, 'CouldNotRead'],
  ['shows that one moves, and fails for another', { ...moved, result: 'unreadable' }, 'AlreadyMoving'],
] as const)('a command whose fresh look %s', ([, fresh, refusedAs]) => {
  const refusal = notProvenFailed(fresh);
  expect(refusal?.type).toBe(refusedAs);
  if (refusedAs !== undefined) expect(refusal?.message).toMatch(/nothing was sent/i);
  if (refusedAs === 'CouldNotRead')
    expect(refusal?.message).toContain(fresh.result === 'unreadable' ? 'not be read just now' : 'not clear');
  if (refusedAs === 'AlreadyMoving') expect(refusal?.message).toContain(fresh.status);
});

const failure = { service_id: '7', partner_code: 'P', value_centavos: 100, status: 'error' };

test.for<[string, Partial<Attempt>, string | null, boolean]>([
  ['of what no list has shown', {}, 'error', false],
  ['of what the list shows as well', { listed: true, listFault: null }, 'error', false],
  ['of what the list shows under another identifier', { listId: '8' }, 'error', true],
  ['of what the list shows twice', { listFault: 'twice' }, 'error', true],
  ['of what had failed before', { listId: '8', status: 'error' }, 'error', false],
  ['that is none', { listId: '8' }, 'done', false],
  ['without a status', { listId: '8' }, null, false],
])('whether a failure is doubtful %s', ([, latest, status, isDoubted]) => {
  const payout: Payout = { ...first, attempts: [{ ...moving, ...latest }] };
  expect(isDoubtful(payout, { number: 1, shown: { ...failure, status } })).toBe(isDoubted);
});

test('a failure of an attempt that is not known is not doubtful', () => {
  expect(isDoubtful(first, { number: 2, shown: failure })).toBe(false);
});
