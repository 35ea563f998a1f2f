import { expect, test } from 'vitest';
import { canonicalRequest } from '../../src/contract/canonical.js';
import { cardOrderInput } from '../../src/contract/order.js';
import { payoutCorrections, payoutInput } from '../../src/contract/payout.js';
import { rowsOf } from '../../src/client/batch-rows.js';
import { jsonIn } from '../../src/client/json-text.js';
import { cardOrder } from '../gateway/requests.js';
import { leastProcessorMs } from '../support/processor-time.js';

const pix = {
  ...{ method: 'pix', partner_code: 'salary-1', value: 150.5, pix: 'ana@example.com', first_name: 'José' },
  ...{ last_name: 'da Conceição', document: '529.982.247-25', email: 'ana@example.com' },
  phone: '+5511987654321',
};
const randomKey = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
const { pix: _pix, ...payee } = pix;
const transfer = {
  ...{ ...payee, method: 'transfer', account_type: 'checking' },
  ...{ bank_code: '341', agency: '1234', account: '12345-6' },
};

test.for([
  ['a key with a no-break blank', pix, { pix: '\u00a0ana@example.com ' }],
  ['an e-mail for a key in capitals', pix, { pix: 'Ana@Example.COM' }],
  ['a random key in capitals', { ...pix, pix: randomKey }, { pix: randomKey.toUpperCase() }],
  ['a document with a tab', pix, { document: '\t529.982.247-25' }],
  ['an e-mail with a blank', pix, { email: 'ana@example.com\u2009' }],
  ['a phone with a blank', pix, { phone: ' +5511987654321' }],
  ['a bank with blanks', transfer, { bank_code: ' 341', agency: '1234 ', account: '\u00a012345-6' }],
  ['a webhook to notify', pix, { notify: { webhook: 'shop' } }],
  ['a name in decomposed form', pix, { first_name: 'José'.normalize('NFD'), last_name: ' da Conceição' }],
] as const)('%s is the same request as without', ([, request, more]) => {
  const changed = payoutInput.parse({ ...request, ...more });
  expect(canonicalRequest(changed)).toBe(canonicalRequest(payoutInput.parse(request)));
});

test('an order that names what it would have without it is the same request', () => {
  const { credit_card: _card, order, customer } = cardOrder('two-books');
  const named = { ...order, installments: 1, payment_method: 'credit_card' };
  const [one, other] = [order, named].map((each) => cardOrderInput.parse({ order: each, customer }));
  expect(canonicalRequest(one ?? {})).toBe(canonicalRequest(other ?? {}));
});

test('a key that a retry corrects is put in small letters as well, and a CNPJ keeps its capitals', () => {
  const keyOf = (key: string) => payoutCorrections.parse({ pix: key }).pix;
  expect(keyOf('Eva@Example.com')).toBe('eva@example.com');
  expect(keyOf(randomKey.toUpperCase())).toBe(randomKey);
  expect(keyOf('12ABC34501DE35')).toBe('12ABC34501DE35');
});

test.for([' ', '\u00a0', '\t', '\u0301\u0323', '😀'])(
  'a request with 128 KiB of %j within a field or a name is read in linear time',
  (unit) => {
    const text = `x${unit.repeat(131_072 / unit.length)}x`;
    const fields = ['first_name', 'document', 'email', 'phone', 'bank_code', 'agency', 'account'];
    const read = () => {
      for (const field of fields) payoutInput.safeParse({ ...transfer, [field]: text });
      payoutInput.safeParse({ ...pix, pix: text });
      jsonIn(JSON.stringify({ [text]: 1 }));
    };
    // Far below what a quadratic search takes, and far above what a slow machine needs.
    expect(leastProcessorMs(read)).toBeLessThan(1_000);
  },
);

test.for(['csv', 'jsonl'] as const)(
  'a character is whole wherever a batch of %s is cut into pieces',
  async (format) => {
    for (let length = 4_060; length < 4_100; length += 1) {
      const first_name = `${'a'.repeat(length)}😀`;
      const text = format === 'csv' ? `first_name\n${first_name}\n` : JSON.stringify({ first_name });
      expect(await rowsOf(format, [Buffer.from(text)])).toEqual([{ first_name }]);
    }
  },
);
