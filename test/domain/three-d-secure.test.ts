import { expect, test } from 'vitest';
import { cardDueAt } from '../../src/domain/card-to-send.js';
import { newCompletion, type CompletionPhase } from '../../src/domain/completion.js';
import { newOrder, orderStatus, type Order, type OrderChange } from '../../src/domain/order.js';
import { threeDSecureStage } from '../../src/domain/order-stages.js';
import {
  completionAfterReset,
  completionAwaitsCard,
  completionBegun,
  completionFound,
  completionReopened,
  completionSettled,
  completionTaken,
  completionUnknown,
} from '../../src/domain/three-d-secure.js';

const card = {
  card_ref: '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f',
  task_queue: 'card-store-0b9d3f6a-4a55-4c38-9b43-5f7f5a2d6a10',
  by: 'ana',
};
const credentials = { callback: 'cb', eci: '05' };
const opened: Order = {
  ...newOrder(0),
  ...{ phase: 'known', shown: 'waiting_payment', override: 'awaiting_authentication', expiresAt: 900 },
  completion: { ...newCompletion, until: 900 },
};
const begun = after(opened, completionBegun(opened, { ...credentials, card }, 5));

function after(order: Order, { what: _what, news: _news, ...changes }: OrderChange): Order {
  return { ...order, ...changes };
}

/** Its status, its stage, how far its completion is, and whether its card and its credentials are there. */
function shown(order: Order) {
  const status = orderStatus(order);
  const stage = threeDSecureStage(order, { status, everRead: true });
  const { credentials: kept, phase } = order.completion;
  return [status, stage, phase, order.card.card !== null, kept !== null];
}

test('an authenticated customer makes a completion due, with the card and who gave it', () => {
  expect(shown(begun)).toEqual(['submitting', 'complete', 'to_send', true, true]);
  expect([begun.card.card?.given_by, cardDueAt(begun.card)]).toEqual(['ana', 5]);
});

const unknown = (order: Order) => completionUnknown(order, 'lost');
const cardGone = (order: Order) => completionAwaitsCard(order, 'gone');
const refused = (order: Order) => completionReopened(order, 'no', true);
const withdrawn = (order: Order) => completionReopened(order, 'its time was over', false);

test.for<[string, (order: Order) => OrderChange, readonly unknown[]]>([
  ['its card is gone', cardGone, ['awaiting_card', 'await_card', 'to_send', false, true]],
  ['it is taken', completionTaken, ['waiting_payment', 'follow', 'sent', true, false]],
  ['it is lost', unknown, ['submission_unknown', 'resolve_completion', 'unknown', false, false]],
  ['it is refused', refused, ['awaiting_authentication', 'authenticate', 'open', false, false]],
])('once %s', ([, change, expected]) => {
  expect(shown(after(begun, change(begun)))).toEqual(expected);
});

test.for<[string, (order: Order) => OrderChange, object]>([
  ['is taken', completionTaken, { sentBefore: true, putOff: false }],
  ['has an unknown outcome', unknown, { sentBefore: true, putOff: false }],
  ['has lost its card', cardGone, { sentBefore: false, putOff: true }],
  ['is withdrawn before it was ever sent', withdrawn, { sentBefore: false }],
])('a completion that %s says what has to be read before the next send', ([, change, expected]) => {
  expect(change(begun).completion).toMatchObject(expected);
});

test('a completion that is due keeps what the customer brought back until it is sent', () => {
  const { completion } = completionBegun(opened, { ...credentials, card }, 5);
  expect(completion).toMatchObject({ phase: 'to_send', credentials });
});

test('a completion that was sent once is remembered, also when the next one is withdrawn unsent', () => {
  const reopened = after(begun, refused(begun));
  const again = after(reopened, completionBegun(reopened, { ...credentials, card }, 6));
  const all = [begun, reopened, again, after(again, withdrawn(again))];
  expect(all.map(({ completion }) => completion.sentBefore)).toEqual([false, true, true, true]);
});

const changes = { 'is read': completionSettled, 'was reset': completionAfterReset };

test.for<[CompletionPhase, string, string, keyof typeof changes, CompletionPhase]>([
  ['to_send', 'paid', 'paid', 'is read', 'open'],
  ['unknown', 'paid', 'paid', 'is read', 'sent'],
  ['unknown', 'waiting_payment', 'expired', 'is read', 'sent'],
  ['unknown', 'waiting_payment', 'submission_unknown', 'is read', 'unknown'],
  ['to_send', 'waiting_payment', 'submitting', 'is read', 'to_send'],
  ['sent', 'paid', 'paid', 'is read', 'sent'],
  ['open', 'waiting_payment', 'awaiting_authentication', 'was reset', 'unknown'],
  ['open', 'paid', 'paid', 'was reset', 'sent'],
  ['open', 'waiting_payment', 'expired', 'was reset', 'open'],
  ['to_send', 'waiting_payment', 'submitting', 'was reset', 'unknown'],
  ['to_send', 'paid', 'paid', 'was reset', 'unknown'],
  ['sent', 'waiting_payment', 'waiting_payment', 'was reset', 'sent'],
])(
  'a completion %s of an order that reads %s and is %s and %s is %s',
  ([phase, reads, status, how, then]) => {
    const order: Order = { ...begun, shown: reads, completion: { ...begun.completion, phase } };
    expect(after(order, changes[how](order, status)).completion.phase).toBe(then);
  },
);

test('an operator who found that the service took it has it followed, otherwise it is open again', () => {
  const lost = after(begun, unknown(begun));
  const [wasTaken, wasNot] = [completionFound(lost, true), completionFound(lost, false)];
  expect(shown(after(lost, wasTaken)).slice(0, 3)).toEqual(['waiting_payment', 'follow', 'sent']);
  expect(wasTaken.news).toEqual(['Resolved: the service took the completion']);
  expect(shown(after(lost, wasNot)).slice(0, 3)).toEqual(['awaiting_authentication', 'authenticate', 'open']);
  expect(wasNot.news).toEqual(['Resolved: the completion had done nothing']);
});
