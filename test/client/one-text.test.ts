import { expect, test } from 'vitest';
import { canonicalRequest } from '../../src/contract/canonical.js';
import { payoutInput } from '../../src/contract/payout.js';

const pix = {
  ...{ method: 'pix', partner_code: 'salary-1', value: 150.5, pix: 'ana@example.com', first_name: 'José' },
  ...{
    last_name: 'da Conceição',
    document: '529.982.247-25',
    email: 'ana@example.com',
    phone: '+5511987654321',
  },
};
const { pix: _pix, ...payee } = pix;
const transfer = {
  ...{ ...payee, method: 'transfer', account_type: 'checking' },
  ...{ bank_code: '341', agency: '1234', account: '12345-6' },
};

test.for([
  ['a key with a no-break blank', pix, { pix: '\u00a0ana@example.com ' }],
  ['a document with a tab', pix, { document: '\t529.982.247-25' }],
  ['an e-mail with a blank', pix, { email: 'ana@example.com\u2009' }],
  ['a phone with a blank', pix, { phone: ' +5511987654321' }],
  ['a bank with blanks', transfer, { bank_code: ' 341', agency: '1234 ', account: '\u00a012345-6' }],
  ['a name in decomposed form', pix, { first_name: 'José'.normalize('NFD'), last_name: ' da Conceição' }],
] as const)('%s is the same request as without', ([, request, more]) => {
  const changed = payoutInput.parse({ ...request, ...more });
  expect(canonicalRequest(changed)).toBe(canonicalRequest(payoutInput.parse(request)));
});
