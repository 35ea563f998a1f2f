import { expect, test } from 'vitest';
import { cardDueAt } from '../../src/domain/card-to-send.js';
import { newCompletion, type CompletionPhase } from '../../src/domain/completion.js';
import { newOrder, type Order } from '../../src/domain/order.js';
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
import { orderStatus, type OrderChange } from '../../src/domain/order.js';

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

test.for<[string, (order: Order) => OrderChange, readonly unknown[]]>([
  [
    'its card is gone',
    (order) => completionAwaitsCard(order, 'gone'),
    ['submitting', 'await_card', 'to_send', false, true],
  ],
  ['it is taken', completionTaken, ['waiting_payment', 'follow', 'sent', true, false]],
  [
    'its outcome is unknown',
    (order) => completionUnknown(order, 'lost'),
    ['submission_unknown', 'resolve_completion', 'unknown', false, false],
  ],
  [
    'it is refused',
    (order) => completionReopened(order, 'no', true),
    ['awaiting_authentication', 'authenticate', 'open', false, false],
  ],
])('once %s', ([, change, expected]) => {
  const [status, ...rest] = expected;
  const now = shown(after(begun, change(begun)));
  expect(now.slice(1)).toEqual(rest);
  expect(now[0]).toBe(rest[0] === 'await_card' ? 'awaiting_card' : status);
});

test.for<[string, (order: Order) => OrderChange, object]>([
  ['is taken', completionTaken, { sentBefore: true, putOff: false }],
  [
    'has an unknown outcome',
    (order) => completionUnknown(order, 'lost'),
    { sentBefore: true, putOff: false },
  ],
  ['has lost its card', (order) => completionAwaitsCard(order, 'gone'), { sentBefore: false, putOff: true }],
  [
    'is withdrawn before it was ever sent',
    (order) => completionReopened(order, 'late', false),
    { sentBefore: false },
  ],
])('a completion that %s says what has to be read before the next send', ([, change, expected]) => {
  expect(change(begun).completion).toMatchObject(expected);
});

test('a completion that is due keeps what the customer brought back until it is sent', () => {
  const { completion } = completionBegun(opened, { ...credentials, card }, 5);
  expect(completion).toMatchObject({ phase: 'to_send', credentials });
});

test('an operator who has found out about a completion is told what that means', () => {
  const unknown = after(begun, completionUnknown(begun, 'lost'));
  expect(completionFound(unknown, true).news).toEqual(['Resolved: the service took the completion']);
  expect(completionFound(unknown, false).news).toEqual(['Resolved: the completion had done nothing']);
});

test('a completion that was sent once is remembered, also when the next one is withdrawn unsent', () => {
  const refused = after(begun, completionReopened(begun, 'no', true));
  const again = after(refused, completionBegun(refused, { ...credentials, card }, 6));
  const withdrawn = after(again, completionReopened(again, 'its time was over', false));
  expect([begun, refused, again, withdrawn].map(({ completion }) => completion.sentBefore)).toEqual([
    ...[false, true, true, true],
  ]);
});

test.for<[CompletionPhase, string, string, CompletionPhase]>([
  ['to_send', 'paid', 'paid', 'open'],
  ['unknown', 'paid', 'paid', 'sent'],
  ['unknown', 'waiting_payment', 'expired', 'sent'],
  ['unknown', 'waiting_payment', 'submission_unknown', 'unknown'],
  ['to_send', 'waiting_payment', 'submitting', 'to_send'],
  ['sent', 'paid', 'paid', 'sent'],
])(
  'a completion that is %s of an order that reads as %s and is %s is then %s',
  ([phase, reads, status, then]) => {
    const order: Order = { ...begun, shown: reads, completion: { ...begun.completion, phase } };
    expect(after(order, completionSettled(order, status)).completion.phase).toBe(then);
  },
);

test.for<[CompletionPhase, string, string, CompletionPhase]>([
  ['open', 'waiting_payment', 'awaiting_authentication', 'unknown'],
  ['open', 'paid', 'paid', 'sent'],
  ['open', 'waiting_payment', 'expired', 'open'],
  ['to_send', 'waiting_payment', 'submitting', 'unknown'],
  ['to_send', 'paid', 'paid', 'unknown'],
  ['sent', 'waiting_payment', 'waiting_payment', 'sent'],
])(
  'after a reset one that is %s of an order that reads as %s and is %s is %s',
  ([phase, reads, status, then]) => {
    const order: Order = { ...begun, shown: reads, completion: { ...begun.completion, phase } };
    expect(after(order, completionAfterReset(order, status)).completion.phase).toBe(then);
  },
);

test('an operator who found that the service took it has it followed, otherwise it is open again', () => {
  const lost = after(begun, completionUnknown(begun, 'lost'));
  expect(shown(after(lost, completionFound(lost, true))).slice(0, 3)).toEqual([
    ...['waiting_payment', 'follow', 'sent'],
  ]);
  expect(shown(after(lost, completionFound(lost, false))).slice(0, 3)).toEqual([
    ...['awaiting_authentication', 'authenticate', 'open'],
  ]);
});
