import { describe, expect, test } from 'vitest';
import { classOfHttpStatus, classUnlisted, provesNothingHappened } from '../../src/domain/outcome-classes.js';
import { retryTable } from '../../src/domain/retry-table.js';

describe('the class of an answer', () => {
  test.for([
    ['refused', [400, 404, 405, 413, 415, 422, 501]],
    ['unauthorized', [401, 403]],
    ['throttled', [429]],
    ['unknown', [302, 307, 408, 409, 418, 500, 502, 503, 504]],
  ] as const)('is %s of %j', ([outcome, statuses]) => {
    expect(statuses.filter((status) => classOfHttpStatus(status, false) !== outcome)).toEqual([]);
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

  const unauthorized = { outcome: 'unauthorized' } as const;
  const sure = { tokenIsRefused: true, after429: 'send_again' } as const;
  test.for([
    ['a 401', { ...unauthorized, httpStatus: 401 }, { tokenIsRefused: false }, 'unknown'],
    ['a 401 whose token a read is refused too', { ...unauthorized, httpStatus: 401 }, {}, 'unauthorized'],
    ['a 403', { ...unauthorized, httpStatus: 403 }, {}, 'unknown'],
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
