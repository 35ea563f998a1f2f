import { expect, test } from 'vitest';
import { completionVerdict, notProvenOpen } from '../../src/domain/completion-proofs.js';
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
