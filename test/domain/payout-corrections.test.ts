import { describe, expect, test } from 'vitest';
import { correctionsProblem } from '../../src/domain/payout-corrections.js';

const long = (length: number) => 'x'.repeat(length);

describe('corrections', () => {
  test.for([
    ['pix', undefined],
    ['pix', null],
    ['pix', {}],
    ['pix', { pix: 'a@b.co', email: 'ana@b.co' }],
    ['pix', { pix: '529.982.247-25', document: '52998224725', phone: '+55 (11) 98765-4321' }],
    ['pix', { pix: '123e4567-e89b-12d3-a456-426614174000', document: '11.222.333/0001-81' }],
    ['pix', { first_name: `${long(64)} `, last_name: 'Lima', kind: 'personal' }],
    ['transfer', { bank_code: '341', agency: '0001-X', account: '12345-6', account_type: 'checking' }],
  ] as const)('of a payout by %s: %j are good', ([method, corrections]) => {
    expect(correctionsProblem(corrections, method)).toBeUndefined();
  });

  test.for([
    ['pix', 'pix', 'must be an object'],
    ['pix', 7, 'must be an object'],
    ['pix', [], 'must be an object'],
    ['pix', { value: 2 }, 'the value of a payout never changes'],
    ['pix', { partner_code: 'x' }, 'a payout by pix has no field partner_code'],
    ['pix', { account: '1' }, 'a payout by pix has no field account'],
    ['pix', { [long(50)]: '1' }, `has no field ${long(40)} to correct`],
    ['transfer', { pix: 'a@b.co' }, 'a payout by transfer has no field pix'],
    ['pix', { pix: '' }, 'corrections.pix must be a text'],
    ['pix', { pix: ' ' }, 'corrections.pix must be a text'],
    ['pix', { pix: 7 }, 'corrections.pix must be a text'],
    ['pix', { pix: 'no key at all' }, 'corrections.pix must be a pix key'],
    ['pix', { pix: '52998224724' }, 'corrections.pix must be a pix key'],
    ['pix', { pix: '4111111111111111@example.com' }, 'corrections.pix looks like a card number'],
    ['pix', { document: 'no number' }, 'corrections.document must be a valid CPF or CNPJ'],
    ['pix', { document: '52998224724' }, 'corrections.document must be a valid CPF or CNPJ'],
    ['pix', { document: '529\u00a0982\u00a0247-25' }, 'corrections.document must be a valid CPF or CNPJ'],
    ['pix', { email: 'nobody' }, 'corrections.email must be an e-mail address'],
    ['pix', { email: 'ana@b' }, 'corrections.email must be an e-mail address'],
    ['pix', { email: 'ana@-b.co' }, 'corrections.email must be an e-mail address'],
    ['pix', { email: 'an a@b.co' }, 'corrections.email must be an e-mail address'],
    ['pix', { email: 'ana@b.co m' }, 'corrections.email must be an e-mail address'],
    ['pix', { email: `a@${long(253)}` }, 'corrections.email must not be longer than 254'],
    ['pix', { phone: 'none' }, 'corrections.phone must be a phone number'],
    ['pix', { first_name: long(65) }, 'corrections.first_name must not be longer than 64'],
    ['pix', { last_name: 'Li\u202ema' }, 'corrections.last_name must not have control or format characters'],
    ['pix', { last_name: '4111 1111 1111 1111' }, 'corrections.last_name looks like a card number'],
    ['pix', { kind: long(33) }, 'corrections.kind must not be longer than 32'],
    ['transfer', { bank_code: '34' }, 'corrections.bank_code must be a bank code'],
    ['transfer', { agency: 'one' }, 'corrections.agency must be an agency number'],
    ['transfer', { account: '1 2' }, 'corrections.account must be an account number'],
    ['transfer', { account: '4111111111111111' }, 'corrections.account looks like a card number'],
    ['transfer', { account_type: long(33) }, 'corrections.account_type must not be longer than 32'],
  ] as const)('of a payout by %s: %j are refused', ([method, corrections, problem]) => {
    expect(correctionsProblem(corrections, method)).toContain(problem);
  });
});
