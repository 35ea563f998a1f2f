import { expect, test } from 'vitest';
import { newAttempt, type Attempt } from '../../src/domain/payout-attempts.js';
import { payoutConclusions } from '../../src/domain/payout-conclusions.js';
import { payoutStage } from '../../src/domain/payout-stages.js';
import { payoutStatements } from '../../src/domain/statements.js';
import { newPayout, type Payout } from '../../src/domain/payout.js';

const attempt = (number: number, more: Partial<Attempt>): Attempt => ({
  ...newAttempt(number, 'a', 0),
  ...more,
});
const shown = (status: string, more: Partial<Attempt> = {}) =>
  attempt(1, { phase: 'known', wasRead: true, serviceId: '7', status, ...more });
const next = (status: string) => attempt(2, { phase: 'known', status });
const [due, moves, done] = [attempt(1, {}), shown('processing'), shown('done')];
const failed = shown('error', { error: 'It failed.' });
const back = { ...failed, wasDone: true };
const lost = (phase: Attempt['phase']) => attempt(1, { phase, error: 'lost' });
const abandoned = true;

type Given = Partial<Payout> & { unsent?: string; unreadable?: string };

function conclude(attempts: Attempt[], { unreadable, unsent, ...given }: Given) {
  const payout = { ...newPayout('a', 0), ...given, attempts };
  const stage = payoutStage(payout.attempts, payout);
  return payoutConclusions(payout, { stage, unreadable: unreadable ?? null, unsent: unsent ?? null });
}

const named = 'When it is still owed, name the latest attempt: attempt 1.';
const cameBack = `${payoutStatements.returned} Attempt 1 was done before it failed. ${named}`;

test.for<[string, Attempt[], Given, string | undefined]>([
  ['has failed', [failed], {}, payoutStatements.unpaid],
  ['was done, and came back', [back], {}, cameBack],
  ['has failed, and may have other attempts', [failed], { owesScan: true }, payoutStatements.unknown],
  ['moves', [moves], {}, undefined],
  ['was given up', [failed], { abandoned }, undefined],
])('of the money of a payout that %s what is proven is stated', ([, attempts, given, statement]) => {
  const expected = statement === undefined ? undefined : { payout_failed: statement };
  expect(conclude(attempts, given).statements).toEqual(expected);
});

const revived = { revived: true };
const misfit = { misfit: 'It shows R$ 1.00.', listFault: 'It is listed twice.' };
const payout_failed = ['It failed.'];
const payout_returned = ['Attempt 1 was done and is now error.'];
const paid_twice = ['Two attempts of this payout are done.'];
const unrecognised_status = ['Attempt 1 is "held" at the service.'];
const unusable = { end: 'rejected', problems: 'no pix' } as const;
const odd = (...inconsistent_answer: string[]) => ({ inconsistent_answer });
const doneAfterAll = odd('The payout was abandoned as failed, and is done after all.');
const movesAfterAll = odd('Attempt 1 had failed for good, and is now processing.');

test.for<[string, Attempt[], Given, string, object]>([
  ['is to be sent', [due], {}, 'submitting', {}],
  ['could not be sent for an hour', [due], { unsent: 'no token' }, 'submitting', { not_sent: ['no token'] }],
  ['is looked for', [lost('verifying')], {}, 'submitting', {}],
  ['was not found', [lost('unknown')], {}, 'submission_unknown', { submission_unknown: ['lost'] }],
  ['was not usable', [lost('never_sent')], unusable, 'rejected', { invalid_input: ['no pix'] }],
  ['moves', [moves], { unsent: 'no token' }, 'processing', {}],
  ['is late', [moves], { overdue: 'late' }, 'processing', { overdue: ['late'] }],
  ['was late, and is done', [done], { overdue: 'late' }, 'done', {}],
  ['failed', [failed], {}, 'error (service_error)', { payout_failed }],
  ['was given up', [failed], { abandoned }, 'abandoned (service_error)', {}],
  ['was given up, and is done', [shown('done', revived)], { abandoned }, 'done', doneAfterAll],
  ['was given up, and moves', [shown('processing', revived)], { abandoned }, 'processing', movesAfterAll],
  ['was done, and came back', [back], {}, 'error (returned)', { payout_returned, payout_failed }],
  ['came back, and is sent again', [{ ...back, replaced: true }, next('claimed')], {}, 'claimed', {}],
  ['came back while another attempt moves', [back, next('claimed')], {}, 'claimed', { payout_returned }],
  ['came back, and was paid by another attempt', [back, next('done')], {}, 'done', {}],
  ['came back, and was given up', [back], { abandoned }, 'abandoned (returned)', {}],
  ['has two attempts that are done', [{ ...done, wasDone: true }, next('done')], {}, 'done', { paid_twice }],
  ['reads as a word that is not known', [shown('held')], {}, 'held', { unrecognised_status }],
  ['is listed otherwise', [{ ...moves, ...misfit }], {}, 'processing', odd(misfit.misfit, misfit.listFault)],
  ['can not be read', [moves], { unreadable: '503' }, 'processing', { unreadable: ['503'] }],
])('a payout that %s', ([, attempts, given, shownAs, expected]) => {
  const { cause, needs, status } = conclude(attempts, given);
  expect(cause === null ? status : `${status} (${cause})`).toBe(shownAs);
  expect(needs).toEqual(expected);
});
