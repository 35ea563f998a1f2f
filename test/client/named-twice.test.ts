import { describe, expect, test } from 'vitest';
import {
  command,
  commandReading,
  fileOf,
  payout,
  postForAllTests,
  refusedHere,
  row,
  type Format,
} from './support/batch-requests.js';

const { post, refused } = postForAllTests();
const batches = '/v1/payout-batches?batch_id=b';

describe.for([
  ['"value":1500', 'value'],
  ['"pix":"eva@example.com"', 'pix'],
  ['"Value":1500', 'Value'],
  ['" pix ":"eva@example.com"', ' pix '],
  ['"notify":[{"webhook":"a","webhook":"b"}]', 'notify.0.webhook'],
  [String.raw`"v\u0061lue":1500`, 'value'],
] as const)('a payout that goes on with %s', ([member, field]) => {
  test('is refused by the name that is there twice, over HTTP and by the command line', async () => {
    const text = `{${payout},${member}}`;
    const message = expect.stringContaining('twice') as string;
    expect(await refused('/v1/payouts/pix', text)).toMatchObject([{ field, message }]);
    const output = await refusedHere('payout', 'start', await fileOf('a.json', text));
    expect(output).toContain(field.trim());
    expect(output).toContain('Nothing was started');
  });

  test.for(['json', 'jsonl'] as const)('is refused as a row of a batch of %s', async (format) => {
    const one = `{${row},${member}}`;
    const isJson = format === 'json';
    const text = isJson ? `{"batch_id":"b","payouts":[{${row}},${one}]}` : `{${row}}\n${one}`;
    expect(await refused(batches, text, format)).toMatchObject([
      isJson ? { row: 2, field } : { field: 'payouts' },
    ]);
    const output = await refusedHere('batch', 'start', await fileOf(`b.${format}`, text));
    expect(output).toContain(isJson ? 'row 2' : 'line 2');
  });
});

test.for([
  ['json', `{"batch_id":"b","payouts":[{${row}}],"payouts":[{${row}}]}`, 'payouts'],
  ['json', `{"batch_id":"b","payouts":[{${row}}],"batch_id":"c"}`, 'batch_id'],
  ['json', `{"batch_id":"b","payouts":[{${row}}],"Payouts":[]}`, 'Payouts'],
  ['csv', 'method,partner_code,value,value,pix\npix,a,150.50,1500.00,ana@example.com', 'value'],
  ['csv', 'method;partner_code;value;pix;PIX\npix;a;150,50;ana@example.com;eva@example.com', 'pix'],
  ['csv', 'method,partner_code,partner_code ,value,pix\npix,a,b,1,ana@example.com', 'partner_code'],
  ['csv', 'method,partner_code,value,pix,note\npix,a,1,ana@example.com,x', 'column 5 (note)'],
] as const)('a batch of %s that is %s is refused, and says: %s', async ([format, text, named]) => {
  expect(JSON.stringify(await refused(batches, text, format))).toContain(named);
  expect(await refusedHere('batch', 'start', await fileOf(`b.${format}`, text))).toContain(named);
});

test('of a CSV without a line of names nothing is repeated', async () => {
  const file = await fileOf('b.csv', 'pix,salary-1,150.50,ana@example.com,Ana,Lima,52998224725\n');
  const output = await refusedHere('batch', 'start', file);
  expect(output).toContain('the first line must name the columns');
  expect(output).not.toMatch(/salary-1|Ana|ana@|Lima|529982/);
});

test('a batch of which two rows have one code in two spellings is refused by row', async () => {
  const rows = `{${row}},{${row.replace('salary-1', 'SALARY-1')}}`;
  const errors = await refused('/v1/payout-batches', `{"batch_id":"b","payouts":[${rows}]}`);
  expect(errors).toMatchObject([{ row: 2, field: 'partner_code' }]);
});

test('a batch_id beside another one in the batch is refused', async () => {
  const batch = `{"batch_id":"b","payouts":[{${row}}]}`;
  await refusedHere('batch', 'start', await fileOf('b.json', batch), '--batch-id', 'c');
  expect(await refused('/v1/payout-batches?batch_id=c', batch)).toMatchObject([{ field: 'batch_id' }]);
});

test('a command that holds a reason twice is refused over HTTP', async () => {
  const errors = await refused('/v1/payouts/a/retry', '{"reason":"paid","reason":"not paid"}');
  expect(errors).toMatchObject([{ field: 'reason' }]);
});

test.for([
  ['an option', 'resolve', ['--service-id', '7', '--service-id', '8'], '--service-id'],
  ['a correction', 'retry', ['--set', 'pix=ana@example.com', 'pix=eva@example.com'], 'pix'],
] as const)('%s that is given twice is refused', async ([, verb, twice, named]) => {
  expect(await refusedHere('payout', verb, 'a', '--reason', 'looked', ...twice)).toContain(named);
});

test.for([
  ['with a column that is there twice', 'partner_code,service_id,Service_ID\na,7,8', 'service_id'],
  ['with a column that is not known', 'partner_code,service-id\na,7', 'column 2 (service-id)'],
  ['with a value in a column without a name', 'partner_code,service_id,\na,7,8', 'column 3'],
  ['with one code in two spellings', 'partner_code,service_id\na,7\n\nA,8', 'line 4, partner_code'],
] as const)('a file of findings %s is refused', async ([, text, named]) => {
  const file = await fileOf('findings.csv', text);
  expect(await refusedHere('payout', 'resolve', '--file', file, '--reason', 'looked')).toContain(named);
});

const cells = 'pix,a,1,ana@example.com,Ana,Lima,52998224725';
const latin1 = Buffer.from(`{${payout.replace('Lima', 'José')}}`, 'latin1');

test('a payout in Latin-1 is refused with its line', async () => {
  const reported = 'line 1 is not UTF-8';
  expect(JSON.stringify(await refused('/v1/payouts/pix', latin1))).toContain(reported);
  expect(await refusedHere('payout', 'start', await fileOf('a.json', latin1))).toContain(reported);
});

test.for([
  ['a payout', ['payout', 'start'], `{${payout},"value":1500}`],
  ['a payout in Latin-1', ['payout', 'start'], latin1],
  ['a batch of JSON', ['batch', 'start'], `{"batch_id":"b","payouts":[{${row},"pix":"eva@example.com"}]}`],
  ['JSON Lines', ['batch', 'start', '--batch-id=b', '--format=jsonl'], `{${row},"value":1500}`],
  ['a CSV', ['batch', 'start', '--batch-id=b', '--format=csv'], 'method,value,value\npix,1,1500'],
  ['findings', ['payout', 'resolve', '--reason=x', '--file'], 'partner_code,service_id,Service_ID\na,7,8'],
] as const)('%s on standard input is refused as in a file', async ([, args, content]) => {
  const ofFile = await command(...args, await fileOf('a', content));
  expect(ofFile.code).toBe(2);
  expect(await commandReading(content, ...args, '-')).toEqual(ofFile);
});

test.for(['a.json', 'b.json', 'b.csv', 'b.jsonl'] as const)(
  'a byte order mark before %s is passed over',
  async (name) => {
    const [kind, format] = name.split('.') as ['a' | 'b', Format];
    const csv = `method,partner_code,value,pix,first_name,last_name,document\n${cells}`;
    const lines = { json: `{"batch_id":"b","payouts":[{${row}}]}`, csv, jsonl: `{${row}}` };
    const text = `\ufeff${kind === 'a' ? `{${payout}}` : lines[format]}`;
    const path = kind === 'a' ? '/v1/payouts/pix' : batches;
    expect((await post(path, text, format)).status).toBe(503);
    const args = kind === 'a' ? ['payout', 'start'] : ['batch', 'start'];
    expect((await command(...args, await fileOf(name, text))).code).not.toBe(2);
  },
);
