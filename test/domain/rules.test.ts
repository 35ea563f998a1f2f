import { describe, expect, test } from 'vitest';
import { attentions, attentionTexts } from '../../src/domain/attention.js';
import { mayHoldPan, passesLuhn, withoutLongDigits, withoutPans } from '../../src/domain/cards.js';
import {
  attemptPartnerCode,
  batchIdProblem,
  partnerCodeProblem,
  workflowIdOf,
  refundWorkflowId,
} from '../../src/domain/ids.js';
import { classOfHttpStatus, classUnlisted, provesNothingHappened } from '../../src/domain/outcome-classes.js';
import { retryTable } from '../../src/domain/retry-table.js';
import { startProblem } from '../../src/domain/start-check.js';
import { isRecognised, isWatchedOrderStatus, normaliseStatus } from '../../src/domain/statuses.js';
import { leastProcessorMs } from '../support/processor-time.js';

describe('a partner_code', () => {
  test.for(['a', '0', 'order-1', 'A.b_c-9', 'x'.repeat(64), 'a-r'])('%s is good for a payout', (code) => {
    expect(partnerCodeProblem('payout', code)).toBeUndefined();
  });
  test.for(['', '-a', '.a', 'a/b', 'a b', 'ü', 'x'.repeat(65), 'a\n', 'pay-r2', 'pay-r10'])(
    '%j is bad for a payout',
    (code) => {
      expect(partnerCodeProblem('payout', code)).toBeTypeOf('string');
    },
  );
  test('that ends in -r2 is good for an order, which has no attempts', () => {
    expect(partnerCodeProblem('card_order', 'order-r2')).toBeUndefined();
  });
  test('names the workflow and each attempt', () => {
    expect(workflowIdOf('card_order', 'x')).toBe('order-x');
    expect(workflowIdOf('payout', 'x')).toBe('payout-x');
    expect([1, 2, 11].map((attempt) => attemptPartnerCode('x', attempt))).toEqual(['x', 'x-r2', 'x-r11']);
  });
  test.for([
    ['ord_1', 'refund-ord_1'],
    ['A.b:9-z', 'refund-A.b:9-z'],
    ['a/b', 'refund-a%2Fb'],
    ['a%2Fb', 'refund-a%252Fb'],
    ['é', 'refund-%E9'],
    ['Ā', 'refund-%u0100'],
    ['%u0100', 'refund-%25u0100'],
  ])('is not what names a refund: that is the identifier of its order, %s', ([id = '', expected]) => {
    expect(workflowIdOf('refund', id)).toBe(expected);
    expect(unescape(refundWorkflowId(id))).toBe(`refund-${id}`);
  });
  test('of a batch does not end in - and digits', () => {
    expect(batchIdProblem('payday-7')).toBeTypeOf('string');
    expect(batchIdProblem('payday-july')).toBeUndefined();
  });
});

describe('the class of an answer', () => {
  test.for([
    [400, 'refused'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'refused'],
    [405, 'refused'],
    [408, 'unknown'],
    [409, 'unknown'],
    [413, 'refused'],
    [415, 'refused'],
    [422, 'refused'],
    [429, 'throttled'],
    [302, 'unknown'],
    [307, 'unknown'],
    [500, 'unknown'],
    [501, 'refused'],
    [502, 'unknown'],
    [503, 'unknown'],
    [504, 'unknown'],
    [418, 'unknown'],
  ] as const)('%s is %s', ([status, outcome]) => {
    expect(classOfHttpStatus(status, false)).toBe(outcome);
  });
  test('401 and 403 are refusals once the token was renewed', () => {
    expect([401, 403].map((status) => classOfHttpStatus(status, true))).toEqual(['refused', 'refused']);
  });
  test.for([
    [422, 'partner_code has already been taken', 'unknown'],
    [422, 'code: ALREADY_EXISTS', 'unknown'],
    [400, 'Duplicate order', 'unknown'],
    [400, 'pedido duplicado', 'unknown'],
    [404, 'Já existe um pedido com este código', 'unknown'],
    [422, 'partner_code has been used before', 'unknown'],
    [422, 'código utilizado anteriormente', 'unknown'],
    [429, 'Duplicate transaction', 'unknown'],
    [401, 'the token has already expired', 'unauthorized'],
    [401, 'Token já expirado', 'unauthorized'],
    [422, 'partner_code must be unique', 'unknown'],
    [422, 'código em uso', 'unknown'],
    [422, 'the bank does not exist', 'refused'],
    [422, 'a agência não existe', 'refused'],
    [404, 'conta inexistente', 'refused'],
    [422, 'value is too high', 'refused'],
    [422, 'payment refused by the issuer', 'refused'],
    [422, 'Pagamento recusado', 'refused'],
    [400, 'Falha de comunicação', 'refused'],
    [422, 'code_reused', 'unknown'],
    [422, 'o código deve ser único', 'unknown'],
    [422, 'código cadastrado', 'unknown'],
    [422, 'não é possível: código cadastrado', 'unknown'],
    [422, 'Pedido registrado com esta referência', 'unknown'],
    [422, 'partner_code is registered', 'unknown'],
    [422, 'partner_code must not exist', 'unknown'],
    [422, 'this order was processed before', 'unknown'],
    [422, 'was previously submitted', 'unknown'],
    [422, 'chave pix não cadastrada', 'refused'],
    [422, 'Conta não possui chave pix cadastrada', 'refused'],
    [422, 'Nenhuma chave cadastrada', 'refused'],
    [422, 'CPF diverge do cadastrado na Receita', 'refused'],
    [422, 'código do banco não está mais cadastrado', 'refused'],
    [422, '{"code":"PIX_KEY_NOT_FOUND","registered":false}', 'refused'],
    [422, 'Erro registrado com o protocolo 123', 'refused'],
    [422, 'the key is not registered', 'refused'],
    [422, 'unregistered bank code', 'refused'],
    [422, 'the payment could not be processed', 'refused'],
    [422, 'must be paid before noon', 'refused'],
    [422, 'Maria do Rejane', 'refused'],
    [501, 'already there', 'refused'],
    [429, 'too many requests', 'throttled'],
    [429, 'Your limit for today is used up', 'throttled'],
    [422, 'your daily limit is used up, and the code has been used', 'unknown'],
  ] as const)('%i with the words "%s" is %s', ([status, words, outcome]) => {
    expect(classOfHttpStatus(status, false, words)).toBe(outcome);
  });

  const sure = { tokenIsRefused: true, after429: 'send_again' } as const;
  test.for([
    ['a 401', { outcome: 'unauthorized', httpStatus: 401 }, { tokenIsRefused: false }, 'unknown'],
    [
      'a 401 whose token a read is refused too',
      { outcome: 'unauthorized', httpStatus: 401 },
      {},
      'unauthorized',
    ],
    ['a 403', { outcome: 'unauthorized', httpStatus: 403 }, {}, 'unknown'],
    ['a 429', { outcome: 'throttled' }, {}, 'throttled'],
    ['a 429 that is no proof', { outcome: 'throttled' }, { after429: 'unknown' }, 'unknown'],
    ['a refusal', { outcome: 'refused', httpStatus: 422 }, {}, 'refused'],
    ['a call that was not sent', { outcome: 'not_sent' }, { after429: 'unknown' }, 'not_sent'],
    ['a call without an answer', { outcome: 'unknown', httpStatus: null }, {}, 'unknown'],
  ] as const)('%s to the creation of what no list shows is %s', ([, sent, known, outcome]) => {
    expect(classUnlisted(sent, { ...sure, ...known })).toBe(outcome);
  });

  test('only three classes let a card be used again', () => {
    const classes = ['not_sent', 'refused', 'unauthorized', 'throttled', 'unknown'] as const;
    expect(classes.filter(provesNothingHappened)).toEqual(['not_sent', 'unauthorized', 'throttled']);
  });
  test('nothing that creates is safe to retry', () => {
    const creating = Object.entries(retryTable).filter(
      ([endpoint]) => /^(POST|PUT)/.test(endpoint) && !endpoint.endsWith('/auth'),
    );
    expect(creating).toHaveLength(8);
    for (const [, rule] of creating) expect(rule).not.toBe('safe');
  });
});

describe('a status of the service', () => {
  test.for([
    [' Done ', 'done'],
    ['WAITING_PAYMENT', 'waiting_payment'],
    ['Waiting Payment', 'waiting_payment'],
    ['refund-processing', 'refund_processing'],
    ['', undefined],
    [7, undefined],
    [null, undefined],
    ['x'.repeat(65), undefined],
  ] as const)('%j is read as %s', ([word, status]) => {
    expect(normaliseStatus(word)).toBe(status);
  });
  test('is recognised by its kind of payment, and the vocabulary stays open', () => {
    expect(isRecognised('payout', 'claimed')).toBe(true);
    expect(isRecognised('payout', 'paid')).toBe(false);
    expect(isRecognised('card_order', 'refund_processing')).toBe(true);
    expect(isRecognised('card_order', 'under_review')).toBe(false);
  });
  test('of an order puts it into the watch once no change is expected', () => {
    expect(
      ['waiting_payment', 'paid', 'compensated', 'denied', 'under_review'].map(isWatchedOrderStatus),
    ).toEqual([false, false, true, true, false]);
  });
});

describe('a card', () => {
  test('passes or fails its check digit', () => {
    expect(passesLuhn('4111111111111111')).toBe(true);
    expect(passesLuhn('4111111111111112')).toBe(false);
  });
  test('is noticed in a text, grouped or not, and taken out of errors', () => {
    expect(mayHoldPan('my card 4111 1111 1111 1111')).toBe(true);
    expect(mayHoldPan('order 4111111111111112')).toBe(false);
    expect(withoutLongDigits('bad 4111-1111-1111-1111!')).not.toMatch(/\d{4}/);
  });
  test.each([
    '11987654321 4111111111111111',
    '4111111111111111/123',
    '4111\u00a01111  1111--1111',
    'amex 371449635398431.',
    '{"n":"5555555555554444"}',
    '4222222222222',
    '6062825624254001 12/2030',
  ])('is noticed in %s', (text) => {
    expect(mayHoldPan(text)).toBe(true);
    expect(withoutPans(text)).not.toMatch(/\d{13}/);
  });
  test.each([
    'boleto 34191790010104351004791020150008291070026000',
    '+55 11 98765-4321',
    '2026-11-20 10:11:12.123456',
    '1763680000000 and 1763680000001',
    'b7e23ec2-9af2-4b0b-a1d2-0123456789ab',
  ])('is not seen in %s', (text) => {
    expect(mayHoldPan(text)).toBe(false);
    expect(withoutPans(text)).toBe(text);
  });
  test('is looked for in a long text without end', () => {
    for (const text of ['1', '1 ', '4 4 4 -', '4111 1111 1111 111', '411111111111111a', ' -./ 1']) {
      const long = text.repeat(Math.ceil(65_536 / text.length));
      const search = () => [mayHoldPan(long), withoutLongDigits(long), withoutPans(long)];
      expect(leastProcessorMs(search)).toBeLessThan(500);
    }
  });
  test.each(['4111111111111111', '4111-1111-1111-1111', '5555555555554444'])(
    'is no partner_code: %s',
    (code) => {
      expect(partnerCodeProblem('payout', code)).toContain('put a letter before');
      expect(batchIdProblem(code)).toContain('put a letter before');
    },
  );
  test.each(['4111111111111112', '1763680000000', '2000001234567890', '20261120101112', 'A4111111111111111'])(
    'is not what a number such as %s is taken for',
    (code) => {
      expect(partnerCodeProblem('payout', code)).toBeUndefined();
    },
  );
});

describe('a start', () => {
  const info = { workflowId: 'payout-a', attempt: 1, hasRetryPolicy: false, hasCronSchedule: false };
  test('under its own id, once, is good', () => {
    expect(startProblem('payout', 'a', info)).toBeUndefined();
  });
  test.for([
    ['another id', 'a', { workflowId: 'payout-b' }],
    ['a retry', 'a', { attempt: 2 }],
    ['a retry policy', 'a', { hasRetryPolicy: true }],
    ['a cron schedule', 'a', { hasCronSchedule: true }],
    ['no partner_code', undefined, {}],
    ['a bad partner_code', 'a/b', {}],
  ] as const)('with %s is refused in words', ([, code, change]) => {
    expect(startProblem('payout', code, { ...info, ...change })).toMatch(/\w+ .*\./);
  });
});

test('each attention explains what it means for the money and what to do', () => {
  for (const attention of attentions) {
    expect(attentionTexts[attention].meaning).toMatch(/\.$/);
    expect(attentionTexts[attention].action).toMatch(/\w/);
  }
});
