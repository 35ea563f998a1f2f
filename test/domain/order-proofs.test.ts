import { expect, test } from 'vitest';
import { completionVerdict, notProvenOpen } from '../../src/domain/completion-proofs.js';
import { notProvenUnrefunded, requestVerdict } from '../../src/domain/refund-proofs.js';
import { Refused } from '../../src/domain/refused.js';

test.for([
  ['shows that nothing has moved', { stage: 'complete', usable: true }, 'send'],
  ['does not work', { stage: 'complete', usable: false }, 'read_again'],
  ['shows that the order is paid', { stage: 'follow', usable: true }, 'moved_on'],
  ['shows that its time is over', { stage: 'watch', usable: true }, 'moved_on'],
  ['settles that it awaits the customer again', { stage: 'authenticate', usable: true }, 'moved_on'],
  ['does not work, and its stage is another one by now', { stage: 'follow', usable: false }, 'moved_on'],
] as const)('a completion is to be sent, and a read of the order %s', ([, read, verdict]) => {
  expect(completionVerdict(read)).toBe(verdict);
});

const moved = new Refused('NotAwaitingAuthentication', 'This order is paid.');

test.for<[string, boolean | null, Refused | undefined, string | undefined]>([
  ['needs no read', null, undefined, undefined],
  ['needs no read, and is not open', null, moved, 'NotAwaitingAuthentication'],
  ['is read as open', true, undefined, undefined],
  ['is read as moved', true, moved, 'NotAwaitingAuthentication'],
  ['can not be read', false, undefined, 'CouldNotRead'],
  ['can not be read, and had moved before', false, moved, 'CouldNotRead'],
])('a completion is begun of an order that %s', ([, usable, objection, refused]) => {
  expect(notProvenOpen(usable, objection)?.type).toBe(refused);
});

const read = { stage: 'request', usable: true, objection: null } as const;
const foreign = 'That is not the order to refund.';

const unread = { ...read, usable: false };
const refuse = (why: string) => ({ kind: 'refuse', why });
const tooLate = 'The order could not be read, so the refund was not requested.';

test.for([
  ['shows nothing that speaks against it', read, false, { kind: 'request' }],
  ['shows that it is under way already', { ...read, stage: 'confirm' }, false, { kind: 'moved_on' }],
  ['shows another order', { ...unread, objection: foreign }, false, refuse(foreign)],
  ['shows what speaks against it', { ...read, objection: foreign }, false, refuse(foreign)],
  ['does not work', unread, false, { kind: 'read_again' }],
  ['does not work for too long', unread, true, refuse(tooLate)],
] as const)('a refund is to be requested, and a read of the order %s', ([, fresh, isTooLate, verdict]) => {
  expect(requestVerdict(fresh, isTooLate)).toEqual(verdict);
});

const decide = { ...read, stage: 'decide' } as const;
const paid = { shown: 'paid', status: 'refund_failed' };
const unusable = { ...decide, usable: false };
const refunded = { shown: 'refunded', status: 'refunded' };

test.for([
  ['shows the order as paid', decide, paid, undefined],
  ['shows it so, and an operator had ended the refund', { ...decide, stage: 'watch' }, paid, undefined],
  ['shows it as refunded', { ...decide, stage: 'closed' }, refunded, 'AlreadyMoving'],
  ['shows a refund under way', decide, { ...paid, shown: 'refund_processing' }, 'AlreadyMoving'],
  ['shows that the request was taken', { ...decide, stage: 'confirm' }, paid, 'AlreadyMoving'],
  ['shows what speaks against it', { ...decide, objection: foreign }, paid, 'AlreadyMoving'],
  ['does not work', unusable, paid, 'CouldNotRead'],
  ['does not work, and one objected before', { ...unusable, objection: foreign }, paid, 'AlreadyMoving'],
] as const)('a retry of a refund whose fresh read %s', ([, fresh, shows, refused]) => {
  const refusal = notProvenUnrefunded(fresh, shows);
  expect(refusal?.type).toBe(refused);
  if (refused !== undefined) expect(refusal?.message).toMatch(/nothing was sent/i);
});
