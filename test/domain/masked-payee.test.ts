import { describe, expect, test } from 'vitest';
import { maskedPayee, moneyOfRequest, moneyOfState, redirection } from '../../src/domain/masked-payee.js';

describe('a payee is shown masked', () => {
  test.for([
    [{ pix: 'ana.lima@example.com', document: '529.982.247-25' }, 'pix …ima@example.com, document …982247…'],
    [{ pix: 'a@b.io' }, 'pix …@b.io'],
    [{ pix: 'ab@b.io' }, 'pix …b@b.io'],
    [{ pix: '529.982.247-25' }, 'pix …982247…'],
    [{ pix: '+5511987654321' }, 'pix …4321'],
    [{ pix: '123e4567-e89b-42d3-a456-426614174000' }, 'pix …4000'],
    [{ pix: '12.ABC.345/01DE-35' }, 'pix …BC34501DE…'],
    [{ bank_code: '341', agency: '0001', account: '1234567-8' }, 'bank 341, agency 0001, account …67-8'],
    [{ document: '12345678000195' }, 'document …456780001…'],
    [{ account: '12' }, 'account …2'],
    [{ agency: '5555555555554444' }, 'agency …'],
    [{ agency: 'a\r\nb' }, 'agency a b'],
    [{ pix: 7, document: null }, null],
    ['a payee', null],
  ] as const)('%j as %s', ([fields, shown]) => {
    expect(maskedPayee(fields)).toBe(shown);
  });

  test('and never in full, however short or long', () => {
    for (let length = 2; length < 100; length += 1) {
      const text = 'x'.repeat(length - 1) + '1';
      for (const field of ['pix', 'account', 'document'])
        expect(maskedPayee({ [field]: text })).not.toContain(` ${text}`);
    }
  });
});

describe('the money of', () => {
  test.for([
    ['a start', { value: 42.5, pix: 'ana@example.com' }, { value: 42.5, payee: 'pix …a@example.com' }],
    ['a batch', { payouts: [{ value: 0.1, pix: 'a@b.io' }, { value: 0.2 }] }, { payouts: 2, value: 0.3 }],
    ['a batch that will be refused', { payouts: [{ value: 1 }, { value: '1' }] }, { payouts: 2 }],
    ['an order', { order: { value: 89.9 } }, { value: 89.9 }],
    ['a retry', { corrections: { pix: '+5511987654321' } }, { payee: 'pix …4321' }],
    ['an amount that is a card', { value: 5_555_555_555_554_444 }, {}],
    ['an endless amount', { value: Infinity }, {}],
    ['a request like a state', { payee: 'x', attempts: [{ payee: '5555 5555 5555 4444' }] }, {}],
    ['nothing', undefined, {}],
  ] as const)('%s', ([, request, money]) => {
    expect(moneyOfRequest(request)).toEqual(money);
  });

  test('a state, and of a retry that of the attempt before', () => {
    const state = { value: 1, payee: 'b', attempts: [{ payee: 'a' }, { payee: 'b' }] };
    expect(moneyOfState(state, 'abandonPayout')).toEqual({ value: 1, payee: 'b' });
    expect(moneyOfState(state, 'retryPayout')).toEqual({ value: 1, payee: 'b', payee_before: 'a' });
  });
});

test('a correction to a key that is masked alike is shown', () => {
  const [before, after] = [{ pix: 'bruno.silva@gmail.com' }, { pix: 'evil.silva@gmail.com' }];
  expect(redirection(before, after)).toBe(
    'It pays pix …lva@gmail.com, another one than before, who is masked alike',
  );
  expect(redirection(before, { pix: '+5511987654321' })).toBe('It pays pix …4321, not pix …lva@gmail.com');
  expect(redirection({ ...before, first_name: 'Ana' }, { ...before, first_name: 'Eva' })).toBeUndefined();
});
