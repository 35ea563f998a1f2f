import { describe, expect, test } from 'vitest';
import {
  isCardReference,
  messageProblem,
  type CommandMessageName,
} from '../../src/domain/command-messages.js';
import { identifiersIn } from '../../src/domain/postback-identifiers.js';

const by = { by: 'ana', reason: 'why' };
const card = {
  // Its digits are those of a card, by chance.
  card_ref: '55555555-5555-4444-8444-0a5c1e2b3d4f',
  task_queue: 'card-store-0b9d3f6a-4a55-4c38-9b43-5f7f5a2d6a10',
};
const long = (length: number) => 'x'.repeat(length);

describe('the message of a command', () => {
  test.for([
    ['retryPayout', by],
    ['retryPayout', { ...by, attempt: 1, corrections: {}, bulk_retry_id: 'b' }],
    ['retryPayout', { ...by, attempt: undefined }],
    ['retryPayout', { ...by, bulk_retry_id: 'lote-5555555555554444' }],
    ['abandonPayout', { by: long(128), reason: long(500) }],
    ['acknowledgeAttention', { ...by, attention: 'inconsistent_answer', accept_value: 19.9 }],
    ['resolveSubmission', { ...by, service_id: 'ord_1.a:b-c' }],
    ['resolveSubmission', { ...by, service_id: long(128) }],
    ['resolveSubmission', { ...by, service_id: 0 }],
    ['resolveSubmission', { ...by, nothing_happened: true }],
    ['retryRefund', { ...by, nothing_queued: true }],
    ['resolveRefund', { ...by, outcome: 'refunded' }],
    ['resolveRefund', { outcome: 'not_refunded', ...by }],
    ['provideCard', { ...card, expires_at: '2026-05-04T12:10:00+00:00' }],
    ['completeThreeDSecure', { callback: 'c', eci: '05', card }],
    ['issueThreeDSecureToken', undefined],
    ['awaitStatus', { statuses: [], timeout_seconds: 30 }],
    ['awaitStatus', { statuses: Array(20).fill('done'), timeout_seconds: 0.1 }],
    ['pause', by],
    ['resume', by],
    ['stop', by],
  ] as readonly [CommandMessageName, unknown][])('%s takes %j', ([name, message]) => {
    expect(messageProblem(name, message)).toBeUndefined();
  });

  test.for([
    ['retryPayout', 'please', 'takes an object with the fields attempt, corrections'],
    ['retryPayout', [], 'takes an object'],
    ['retryPayout', { correction: {} }, 'has no field correction; it takes attempt, corrections'],
    ['retryPayout', { toString: 1 }, 'has no field toString'],
    ['retryPayout', { [long(50)]: 1 }, `has no field ${long(40)};`],
    ['retryPayout', { 'card 5555555555554444 of_Ana': 1 }, 'has no field card…of_Ana;'],
    ['retryPayout', { '５５５５５５５５５５５５４４４４': 1 }, 'has no field …;'],
    ['retryPayout', { attempt: '1' }, 'attempt must be a whole number from 1'],
    ['retryPayout', { attempt: 0 }, 'attempt must be a whole number'],
    ['retryPayout', { attempt: 1.5 }, 'attempt must be a whole number'],
    ['retryPayout', { corrections: null }, 'corrections must be an object'],
    ['retryPayout', { corrections: ['pix'] }, 'corrections must be an object'],
    ['retryPayout', { corrections: 'pix' }, 'corrections must be an object'],
    ['retryPayout', { bulk_retry_id: '5555555555554444' }, 'bulk_retry_id is a valid card number'],
    ['retryPayout', { bulk_retry_id: 'a b' }, 'bulk_retry_id must be 1 to 64 characters'],
    ['retryPayout', { bulk_retry_id: 7 }, 'bulk_retry_id must be a text'],
    ['retryPayout', { by: 7 }, 'by must be a text of at most 128 characters'],
    ['retryPayout', { by: ' ' }, 'by must be a text'],
    ['retryPayout', { by: long(129) }, 'by must be a text'],
    ['abandonPayout', { reason: long(501) }, 'reason must be a text of at most 500'],
    ['abandonPayout', { ...by, reason: 'as 5555 5555 5555 4444 says' }, 'reason must not hold a card number'],
    ['stop', { ...by, by: '5555555555554444' }, 'by must not hold a card number'],
    ['resolveRefund', { ...by, reason: 'a\nb' }, 'reason must not have control or format characters'],
    ['completeThreeDSecure', { callback: long(4_097), eci: '05', card }, 'must be a text of at most 4096'],
    ['completeThreeDSecure', { callback: '5555-5555-5555-4444', eci: '05', card }, 'callback must not hold'],
    ['abandonPayout', { attempt: 1 }, 'has no field attempt'],
    ['acknowledgeAttention', { accept_value: '1' }, 'accept_value must be an amount'],
    ['acknowledgeAttention', { accept_value: 1.001 }, 'accept_value must be an amount'],
    ['resolveSubmission', { service_id: '' }, 'service_id must be an identifier'],
    ['resolveSubmission', { service_id: 'a b' }, 'service_id must be an identifier'],
    ['resolveSubmission', { service_id: long(129) }, 'service_id must be an identifier'],
    ['resolveSubmission', { service_id: -1 }, 'service_id must be an identifier'],
    ['resolveSubmission', { service_id: 1.5 }, 'service_id must be an identifier'],
    ['resolveSubmission', { service_id: 2 ** 53 }, 'service_id must be an identifier'],
    ['resolveSubmission', { nothing_happened: false }, 'nothing_happened must be true'],
    ['resolveRefund', {}, 'resolveRefund needs outcome'],
    ['resolveRefund', undefined, 'resolveRefund needs outcome'],
    ['resolveRefund', { outcome: 'lost' }, 'outcome must be "refunded" or "not_refunded"'],
    ['provideCard', {}, 'provideCard needs card_ref'],
    ['provideCard', { card_ref: card.card_ref }, 'provideCard needs task_queue'],
    ['provideCard', { ...card, task_queue: 'payments' }, 'task_queue must be the task_queue that POST'],
    ['provideCard', { ...card, task_queue: 7 }, 'task_queue must be'],
    ['completeThreeDSecure', { callback: 'c', eci: '05' }, 'needs card'],
    ['completeThreeDSecure', { callback: 'c', eci: '05', card: 'tok_1' }, 'card must have card_ref'],
    ['completeThreeDSecure', { callback: 'c', eci: '05', card: null }, 'card must have card_ref'],
    ['completeThreeDSecure', { callback: 'c', eci: '05', card: {} }, 'card must have card_ref'],
    ['completeThreeDSecure', { callback: 'c', eci: '05', card: { ...card, cvv: '737' } }, 'card must have'],
    ['provideCard', { ...card, card_ref: '5555 5555 5555 4444' }, 'card_ref must be the card_ref that POST'],
    ['awaitStatus', {}, 'awaitStatus needs statuses'],
    ['awaitStatus', { statuses: 'done', timeout_seconds: 1 }, 'statuses must be a list of at most 20.'],
    ['awaitStatus', { statuses: Array(21).fill('done') }, 'statuses must be a list of at most 20.'],
    ['awaitStatus', { statuses: [1] }, 'of at most 20, each of which must be one of abandoned'],
    ['awaitStatus', { statuses: ['done', '5555555555554444'] }, 'each of which must be one of'],
    ['awaitStatus', { statuses: [] }, 'needs timeout_seconds'],
    ['awaitStatus', { statuses: [], timeout_seconds: 0 }, 'must be above 0, at most 30'],
    ['awaitStatus', { statuses: [], timeout_seconds: 31 }, 'must be above 0, at most 30'],
    ['awaitStatus', { statuses: [], timeout_seconds: '5' }, 'must be above 0'],
    ['retryPayout', undefined, 'retryPayout needs by'],
    ['retryPayout', null, 'retryPayout needs by'],
    ['retryPayout', { by: 'ana' }, 'retryPayout needs reason'],
    ['abandonPayout', {}, 'abandonPayout needs by'],
    ['resolveSubmission', { nothing_happened: true }, 'resolveSubmission needs by'],
    ['retryRefund', { reason: 'why' }, 'retryRefund needs by'],
    ['resolveRefund', { outcome: 'refunded', by: 'ana' }, 'resolveRefund needs reason'],
    ['acknowledgeAttention', by, 'acknowledgeAttention needs attention'],
    ['acknowledgeAttention', { ...by, attention: 'tired' }, 'attention must be '],
    ['pause', { by: 'ana' }, 'pause needs reason'],
    ['stop', { reason: 'why' }, 'stop needs by'],
  ] as readonly [CommandMessageName, unknown, string][])('%s refuses %j', ([name, message, problem]) => {
    expect(messageProblem(name, message)).toContain(problem);
  });
});

test.for([
  [card, true],
  [{ ...card, task_queue: 'card-store-1' }, false],
  [{ ...card, task_queue: `my-${card.task_queue}` }, false],
  [{ ...card, task_queue: `${card.task_queue}/2` }, false],
  [{ ...card, task_queue: 'card-store-5555555555554444' }, false],
  [{ ...card, expires_at: '2026-01-01T00:00:00Z' }, true],
  [{ ...card, expires_at: long(65) }, false],
  [{ ...card, card_ref: 7 }, false],
  [{ ...card, card_ref: '5555555555554444' }, false],
  [{ ...card, number: 'of another card' }, false],
  [card.card_ref, false],
  [{ task_queue: card.task_queue }, false],
] as const)('%j refers to a card: %s', ([reference, refers]) => {
  expect(isCardReference(reference)).toBe(refers);
});

const formData = '--x\r\nContent-Disposition: form-data; name="order_id"';

test.for([
  ['{"id":"evt_1","order":{"id":7}}', ['evt_1', '7']],
  ['{"order_id":"a","orderId":"b","ID":"c","paid":"d","identity":"e"}', ['a', 'b', 'c', 'd']],
  ['{"id":"a","data":[{"id":"a"},{"id":"b"}]}', ['a', 'b']],
  ['{"id":9007199254740993}', ['9007199254740993']],
  ['{"id":"not one"}', []],
  ['{"id":1.5,"order":{"id":null}}', []],
  [`{"id":"${long(129)}"}`, []],
  ['{"a":{"b":{"c":{"d":{"id":"deep"}}}}}', ['deep']],
  ['{"a":{"b":{"c":{"d":{"e":{"id":"too-deep"}}}}}}', []],
  [JSON.stringify([...Array(30).keys()].map((id) => ({ id }))), [...Array(20).keys()].map(String)],
  ['no JSON', []],
  ['id=77&status=paid&order%5Bid%5D=o-1&data.id=o-2', ['77', 'o-1', 'o-2']],
  ['topic=payment&id=77\nseen', ['77']],
  ['topic=payment&id=77\n{"id":"evt_1"}', ['evt_1', '77']],
  ['{"order_id":"o-1","text":"cut off', ['o-1']],
  ['order-id=77', ['77']],
  ['<?xml version="1.0"?>\n<order type="card"><id> 77 </id><value>1</value></order>', ['77']],
  ['<n:payment xmlns:n="urn:a"><n:order_id>o-1</n:order_id></n:payment>', ['o-1']],
  ['<order id="77" status=\'paid\'/>', ['77']],
  [`${formData}\r\nContent-Type: text/plain\r\n\r\n77\r\n--x--`, ['77']],
  ['{"resource":"https://pay.example/v1/order/77?a=1","topic":"order"}', ['77']],
  ['resource=https%3A%2F%2Fpay.example%2Fv1%2Forder%2F77%2F', ['77']],
  ['{"resource":"order","url":"https://pay.example/orders"}', []],
  ['status=paid&value=10', []],
] as const)('a postback %s names %j', ([body, identifiers]) => {
  expect(identifiersIn(body)).toEqual(identifiers);
});
