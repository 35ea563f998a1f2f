import { describe, expect, test } from 'vitest';
import { accountValidationInput } from '../../src/contract/account-validation.js';
import { cardOrderInput } from '../../src/contract/order.js';
import { payoutInput } from '../../src/contract/payout.js';
import { correctionsProblem } from '../../src/domain/payout-corrections.js';
import { readPixKey } from '../../src/domain/pix-keys.js';
import { cardOrder } from '../gateway/requests.js';

const person = { first_name: 'Ana', last_name: 'Lima', document: '52998224725' };
const company = { first_name: 'Padaria São João Ltda', document: '11.222.333/0001-81' };
const pix = { ...person, partner_code: 'rent-1', method: 'pix', value: 150.5, pix: 'ana@example.com' };
const account = { bank_code: '104', agency: '1234', account: '12345-6' };
const transfer = {
  ...{ ...person, ...account, partner_code: 'rent-1', method: 'transfer', value: 150.5 },
  account_type: 'checking',
};

/** What a payout of these fields sends in one of them, or why that field is refused. */
function sent(request: object, field: string): unknown {
  const { data, error } = payoutInput.safeParse(request);
  const fault = error?.issues.find(({ path }) => path[0] === field)?.message;
  return data === undefined ? fault : new Map<string, unknown>(Object.entries(data)).get(field);
}

describe('a pix key', () => {
  test.for([
    ['11 98765-4321', '+5511987654321'],
    ['(11) 98765-4321', '+5511987654321'],
    ['(11)987654321', '+5511987654321'],
    ['5511987654321', '+5511987654321'],
    ['+55 (11) 98765-4321', '+5511987654321'],
    ['\u00a0+5511987654321 ', '+5511987654321'],
    ['(11) 90876-5402', '+5511908765402'],
    ['529.982.247-25', '52998224725'],
    ['52998224725', '52998224725'],
    ['11.222.333/0001-81', '11222333000181'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
    ['Ana@Example.com', 'ana@example.com'],
    ['a&b@example.com.br', 'a&b@example.com.br'],
    ["o'neil#1/x=y!$*{z}~@example.com", "o'neil#1/x=y!$*{z}~@example.com"],
    ['a..b@example.com', 'a..b@example.com'],
    ['.ana.@example.com', '.ana.@example.com'],
    ['7F9C24E8-3B12-4E6F-9D47-0A5C1E2B3D4F', '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f'],
  ] as const)('written as %s is sent as %s, and taken as a correction', ([written, key]) => {
    expect(sent({ ...pix, pix: written }, 'pix')).toBe(key);
    expect(readPixKey(key)).toEqual({ key });
    expect(correctionsProblem({ pix: written }, 'pix')).toBeUndefined();
  });

  test.for([
    ['11987654321', 'read as a CPF'],
    ['52998224724', 'read as a CPF'],
    ['529.982.247-24', 'read as a CPF'],
    ['1198765432', 'must be a pix key'],
    ['+1 198 765 4321', 'must be a pix key'],
    ['+11987654321', 'must be a pix key'],
    ['+351912345678', 'must be a pix key'],
    ['+551133334444', 'must be a pix key'],
    ['011 98765-4321', 'must be a pix key'],
    ['11.908.765.402', 'must be a pix key'],
    ['119-876-543-21', 'must be a pix key'],
    ['119.876.543.21', 'must be a pix key'],
    ['5.511.987.654.327', 'must be a pix key'],
    ['(20) 98765-4321', 'must be a pix key'],
    ['ana@example', 'must be a pix key'],
    ['a%b@example.com', 'must be a pix key'],
    ['ana@-example.com', 'must be a pix key'],
    [`${'a'.repeat(66)}@example.com`, 'must be a pix key'],
    ['4111111111111111@example.com', 'looks like a card number'],
    ['7f9c24e8-3b12-4e6f-9d47', 'must be a pix key'],
  ] as const)('written as %s is refused, and so is a correction to it: %s', ([written, fault]) => {
    expect(sent({ ...pix, pix: written }, 'pix')).toContain(fault);
    expect(correctionsProblem({ pix: written }, 'pix')).toContain(fault);
  });

  test('of thirteen digits is refused where they are a CNPJ whose first zero was lost', () => {
    const lost = [...Array(10_000).keys()]
      .map((rest) => `551198765${String(rest).padStart(4, '0')}`)
      .filter((digits) => 'fault' in readPixKey(digits));
    expect(lost.length).toBeGreaterThan(50);
    expect(lost.length).toBeLessThan(200);
    for (const digits of lost) expect(readPixKey(`0${digits}`)).toEqual({ key: `0${digits}` });
  });

  test('that is a CPF and could be a phone is taken where it is the document of the payee alone', () => {
    const request = { ...pix, pix: '11908765402' };
    expect(sent(request, 'pix')).toContain('could be a phone');
    expect(sent({ ...request, document: '119.087.654-02' }, 'pix')).toBe('11908765402');
    expect(sent({ ...request, pix: '+5511908765402' }, 'pix')).toBe('+5511908765402');
    expect(sent({ ...pix, pix: '119.876.543.21' }, 'pix')).toContain('must be a pix key');
  });
});

describe('a bank account', () => {
  const mustBeAgency = 'must be an agency number';
  const dash = 'a dash before its check digit';

  test.for([
    ...['1234-P', '1234X', '1234-x', '0001', '12345-6'].map((agency) => ['agency', agency, null] as const),
    ...['P', '12-34', '1234-', '--', '1234XX'].map((agency) => ['agency', agency, mustBeAgency] as const),
    // A number that looks like that of a card is written with a dash before its check digit.
    ...['411111111111111-1', '370100012345674-X', '3701000123456-7', '3701000779341037-1'].map(
      (account) => ['account', account, null] as const,
    ),
    ...['4111111111111111', '4111-1111-1111-1111', '41-11111111111111', '4111111111111111-1'].map(
      (account) => ['account', account, dash] as const,
    ),
    // What a spreadsheet has rounded.
    ...['1.23457E+11', '1E+12'].map((account) => ['account', account, 'must be an account number'] as const),
  ])('has an %s %s, or is refused so: %s', ([field, written, fault]) => {
    expect(sent({ ...transfer, [field]: written }, field)).toContain(fault ?? written);
    const correction = correctionsProblem({ [field]: ` ${written}` }, 'transfer');
    expect(correction ?? '(none)').toContain(fault ?? '(none)');
  });
});

test('a company needs no last name, in a payout as in a validation of its account; a person does', () => {
  const { last_name: _name, ...nameless } = person;
  const validation = { ...account, agency: undefined, partner_code: 'check-1' };
  for (const [fields, isTaken] of [
    [company, true],
    [{ ...nameless, document: '12ABC34501DE35' }, true],
    [nameless, false],
  ] as const) {
    for (const request of [pix, transfer]) {
      const { first_name: _first, last_name: _last, document: _document, ...payout } = request;
      expect(payoutInput.safeParse({ ...payout, ...fields }).success).toBe(isTaken);
    }
    const { agency: _agency, ...body } = validation;
    expect(accountValidationInput.safeParse({ ...body, ...fields }).success).toBe(isTaken);
  }
  expect(sent({ ...pix, last_name: undefined }, 'last_name')).toContain('only a company');
});

test.for([4_111_111_111_111_111.5, 'nº 4111a1111b1111c1111', 'visa 4111 ou 1111 ou 1111 ou 1111'])(
  'a card number is refused in an open field as %s',
  (ref) => {
    const { credit_card: _card, ...order } = cardOrder('two-books');
    const { error } = cardOrderInput.safeParse({ ...order, customer: { ...order.customer, ref } });
    expect(error?.issues).toMatchObject([{ path: ['customer', 'ref'], message: 'must not hold card data' }]);
  },
);
