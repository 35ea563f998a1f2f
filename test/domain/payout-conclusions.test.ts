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
const failed = shown('error', { error: 'It failed.' });

type Given = Partial<Payout> & { unsent?: string; unreadable?: string };

function conclude({ unreadable, unsent, ...given }: Given) {
  const payout = { ...newPayout('a', 0), ...given };
  const stage = payoutStage(payout.attempts, payout);
  return payoutConclusions(payout, { stage, unreadable: unreadable ?? null, unsent: unsent ?? null });
}

test.for<[string, Given, object | undefined]>([
  ['has failed', { attempts: [failed] }, { payout_failed: payoutStatements.unpaid }],
  [
    'was done, and came back',
    { attempts: [shown('error', { wasDone: true })] },
    {
      payout_failed: `${payoutStatements.returned} Attempt 1 was done before it failed. When it is still owed, name the latest attempt: attempt 1.`,
    },
  ],
  [
    'has failed, and may have other attempts after a reset',
    { attempts: [failed], owesScan: true },
    { payout_failed: payoutStatements.unknown },
  ],
  ['moves', { attempts: [shown('processing')] }, undefined],
  ['was given up', { attempts: [failed], abandoned: true }, undefined],
])('of the money of a payout that %s what is proven is said', ([, given, statements]) => {
  expect(conclude(given).statements).toEqual(statements);
});

test.for<[string, Given, string, string | null, object]>([
  ['is to be sent', { attempts: [attempt(1, {})] }, 'submitting', null, {}],
  [
    'could not be sent for an hour',
    { attempts: [attempt(1, {})], unsent: 'no token' },
    'submitting',
    null,
    { not_sent: ['no token'] },
  ],
  [
    'is looked for',
    { attempts: [attempt(1, { phase: 'verifying', error: 'lost' })] },
    'submitting',
    null,
    {},
  ],
  [
    'was not found',
    { attempts: [attempt(1, { phase: 'unknown', error: 'lost' })] },
    'submission_unknown',
    null,
    { submission_unknown: ['lost'] },
  ],
  [
    'was not usable',
    { attempts: [attempt(1, { phase: 'never_sent' })], end: 'rejected', problems: 'pix is missing' },
    'rejected',
    null,
    { invalid_input: ['pix is missing'] },
  ],
  ['moves', { attempts: [shown('processing')], unsent: 'no token' }, 'processing', null, {}],
  [
    'is late',
    { attempts: [shown('processing')], overdue: 'late' },
    'processing',
    null,
    { overdue: ['late'] },
  ],
  ['was late, and is done', { attempts: [shown('done')], overdue: 'late' }, 'done', null, {}],
  ['failed', { attempts: [failed] }, 'error', 'service_error', { payout_failed: ['It failed.'] }],
  ['was given up', { attempts: [failed], abandoned: true }, 'abandoned', 'service_error', {}],
  [
    'was given up, and is done after all',
    { attempts: [shown('done', { revived: true })], abandoned: true },
    'done',
    null,
    { inconsistent_answer: ['The payout was abandoned as failed, and is done after all.'] },
  ],
  [
    'was given up, and moves after all',
    { attempts: [shown('processing', { revived: true })], abandoned: true },
    'processing',
    null,
    { inconsistent_answer: ['Attempt 1 had failed for good, and is now processing.'] },
  ],
  [
    'was done, and came back',
    { attempts: [shown('error', { wasDone: true, error: 'It failed.' })] },
    'error',
    'returned',
    { payout_returned: ['Attempt 1 was done and is now error.'], payout_failed: ['It failed.'] },
  ],
  [
    'was done, came back, and is sent again',
    {
      attempts: [
        shown('error', { wasDone: true, replaced: true }),
        attempt(2, { phase: 'known', status: 'claimed' }),
      ],
    },
    'claimed',
    null,
    {},
  ],
  [
    'was done by an earlier attempt, and came back',
    { attempts: [shown('error', { wasDone: true }), attempt(2, { phase: 'known', status: 'claimed' })] },
    'claimed',
    null,
    { payout_returned: ['Attempt 1 was done and is now error.'] },
  ],
  [
    'was done, came back, and was paid by another attempt',
    { attempts: [shown('error', { wasDone: true }), attempt(2, { phase: 'known', status: 'done' })] },
    'done',
    null,
    {},
  ],
  [
    'was done, came back, and was given up',
    { attempts: [shown('error', { wasDone: true })], abandoned: true },
    'abandoned',
    'returned',
    {},
  ],
  [
    'has two attempts that are done',
    { attempts: [shown('done', { wasDone: true }), attempt(2, { phase: 'known', status: 'done' })] },
    'done',
    null,
    { paid_twice: ['Two attempts of this payout are done.'] },
  ],
  [
    'reads as a word that is not known',
    { attempts: [shown('held')] },
    'held',
    null,
    { unrecognised_status: ['Attempt 1 is "held" at the service.'] },
  ],
  [
    'is listed otherwise than it was asked for',
    { attempts: [shown('processing', { misfit: 'It shows R$ 1.00.', listFault: 'It is listed twice.' })] },
    'processing',
    null,
    { inconsistent_answer: ['It shows R$ 1.00.', 'It is listed twice.'] },
  ],
  [
    'can not be read',
    { attempts: [shown('processing')], unreadable: '503' },
    'processing',
    null,
    { unreadable: ['503'] },
  ],
])('a payout that %s', ([, given, status, cause, needs]) => {
  const concluded = conclude(given);
  expect({ ...concluded, statements: undefined }).toEqual({ status, cause, needs });
});
