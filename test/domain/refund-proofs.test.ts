import { expect, test } from 'vitest';
import { notProvenUnrefunded, requestVerdict } from '../../src/domain/refund-proofs.js';

const read = { stage: 'request', usable: true, objection: null } as const;
const foreign = 'That is not the order to refund.';

test.for([
  ['shows nothing that speaks against it', read, false, { kind: 'request' }],
  ['shows that it is under way already', { ...read, stage: 'confirm' }, false, { kind: 'moved_on' }],
  [
    'shows another order',
    { ...read, usable: false, objection: foreign },
    false,
    { kind: 'refuse', why: foreign },
  ],
  ['shows what speaks against it', { ...read, objection: foreign }, false, { kind: 'refuse', why: foreign }],
  ['does not work', { ...read, usable: false }, false, { kind: 'read_again' }],
  [
    'does not work for too long',
    { ...read, usable: false },
    true,
    { kind: 'refuse', why: 'The order could not be read, so the refund was not requested.' },
  ],
] as const)('a refund is to be requested, and a read of the order %s', ([, fresh, isTooLate, verdict]) => {
  expect(requestVerdict(fresh, isTooLate)).toEqual(verdict);
});

const decide = { ...read, stage: 'decide' } as const;
const paid = { shown: 'paid', status: 'refund_failed' };

test.for([
  ['shows the order as paid', decide, paid, undefined],
  ['shows it so, and an operator had ended the refund', { ...decide, stage: 'watch' }, paid, undefined],
  [
    'shows it as refunded',
    { ...decide, stage: 'closed' },
    { shown: 'refunded', status: 'refunded' },
    'AlreadyMoving',
  ],
  [
    'shows a refund under way',
    decide,
    { shown: 'refund_processing', status: 'refund_failed' },
    'AlreadyMoving',
  ],
  ['shows that the request was taken', { ...decide, stage: 'confirm' }, paid, 'AlreadyMoving'],
  ['shows what speaks against it', { ...decide, objection: foreign }, paid, 'AlreadyMoving'],
  ['does not work', { ...decide, usable: false }, paid, 'CouldNotRead'],
  [
    'does not work, and the last one spoke against it',
    { ...decide, usable: false, objection: foreign },
    paid,
    'AlreadyMoving',
  ],
] as const)('a retry of a refund whose fresh read %s', ([, fresh, shows, refused]) => {
  const refusal = notProvenUnrefunded(fresh, shows);
  expect(refusal?.type).toBe(refused);
  if (refused !== undefined) expect(refusal?.message).toMatch(/nothing was sent/i);
});
