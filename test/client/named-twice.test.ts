import { describe, expect, test } from 'vitest';
import {
  command,
  commandReading,
  fileOf,
  payout,
  postForAllTests,
  row,
  type Format,
} from './support/batch-requests.js';

const post = postForAllTests();

describe.for([
  ['"value":1500', 'value'],
  ['"pix":"eva@example.com"', 'pix'],
  ['"Value":1500', 'Value'],
  ['" pix ":"eva@example.com"', ' pix '],
  ['"notify":[{"webhook":"a","webhook":"b"}]', 'notify.0.webhook'],
  [String.raw`"v\u0061lue":1500`, 'value'],
] as const)('a payout that goes on with %s', ([member, field]) => {
  test('is refused over HTTP by the name that is there twice', async () => {
    const { status, body } = await post('/v1/payouts/pix', `{${payout},${member}}`);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field, message: expect.stringContaining('twice') as string }]);
  });

  test('is refused by the command line', async () => {
    const { code, output } = await command(
      'payout',
      'start',
      await fileOf('a.json', `{${payout},${member}}`),
    );
    expect({ code, output }).toMatchObject({
      code: 2,
      output: expect.stringContaining(field.trim()) as string,
    });
    expect(output).toContain('Nothing was started');
  });

  test.for(['json', 'jsonl'] as const)('is refused as a row of a batch of %s', async (format) => {
    const one = `{${row},${member}}`;
    const text = format === 'json' ? `{"batch_id":"b","payouts":[{${row}},${one}]}` : `{${row}}\n${one}`;
    const { status, body } = await post('/v1/payout-batches?batch_id=b', text, format);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([format === 'json' ? { row: 2, field } : { field: 'payouts' }]);
    const { code, output } = await command('batch', 'start', await fileOf(`b.${format}`, text));
    expect(code).toBe(2);
    expect(output).toContain(format === 'json' ? 'row 2' : 'line 2');
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
  const { status, body } = await post('/v1/payout-batches?batch_id=b', text, format);
  expect(status).toBe(400);
  expect(JSON.stringify(body.errors)).toContain(named);
  const { code, output } = await command('batch', 'start', await fileOf(`b.${format}`, text));
  expect(code).toBe(2);
  expect(output).toContain(named);
});

test('of a CSV without a line of names nothing is repeated', async () => {
  const file = await fileOf('b.csv', 'pix,salary-1,150.50,ana@example.com,Ana,Lima,52998224725\n');
  const { code, output } = await command('batch', 'start', file);
  expect(code).toBe(2);
  expect(output).toContain('the first line must name the columns');
  expect(output).not.toMatch(/salary-1|Ana|ana@|Lima|529982/);
});

test('a batch of which two rows have one code in two spellings is refused by row', async () => {
  const rows = `{${row}},{${row.replace('salary-1', 'SALARY-1')}}`;
  const { status, body } = await post('/v1/payout-batches', `{"batch_id":"b","payouts":[${rows}]}`);
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ row: 2, field: 'partner_code' }]);
});

test('a batch_id beside another one in the batch is refused', async () => {
  const batch = `{"batch_id":"b","payouts":[{${row}}]}`;
  const file = await fileOf('b.json', batch);
  expect(await command('batch', 'start', file, '--batch-id', 'c')).toMatchObject({ code: 2 });
  const { status, body } = await post('/v1/payout-batches?batch_id=c', batch);
  expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ field: 'batch_id' }] });
});

test('an option that is there twice is refused', async () => {
  const ids = ['--service-id', '7', '--service-id', '8'];
  const { code, output } = await command('payout', 'resolve', 'a', '--reason', 'looked', ...ids);
  expect(code).toBe(2);
  expect(output).toContain('--service-id');
});

test('a command that holds a reason twice is refused over HTTP', async () => {
  const { status, body } = await post('/v1/payouts/a/retry', '{"reason":"paid","reason":"not paid"}');
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ field: 'reason' }]);
});

test('a correction that is given twice is refused', async () => {
  const settings = ['--set', 'pix=ana@example.com', 'pix=eva@example.com'];
  const { code, output } = await command('payout', 'retry', 'a', '--reason', 'wrong key', ...settings);
  expect(code).toBe(2);
  expect(output).toContain('pix');
});

test.for([
  ['with a column that is there twice', 'partner_code,service_id,Service_ID\na,7,8', 'service_id'],
  ['with a column that is not known', 'partner_code,service-id\na,7', 'column 2 (service-id)'],
  ['with a value in a column without a name', 'partner_code,service_id,\na,7,8', 'column 3'],
  ['with one code in two spellings', 'partner_code,service_id\na,7\n\nA,8', 'line 4, partner_code'],
] as const)('a file of findings %s is refused', async ([, text, named]) => {
  const file = await fileOf('findings.csv', text);
  const { code, output } = await command('payout', 'resolve', '--file', file, '--reason', 'looked');
  expect(code).toBe(2);
  expect(output).toContain(named);
});

describe('a text that is no UTF-8', () => {
  const latin1 = Buffer.from(`{${payout.replace('Lima', 'José')}}`, 'latin1');
  const csv = Buffer.from('method,partner_code,value,pix,first_name\npix,a,1,ana@example.com,José', 'latin1');

  test('is refused over HTTP with its line', async () => {
    const { status, body } = await post('/v1/payouts/pix', latin1);
    expect(status).toBe(400);
    expect(JSON.stringify(body.errors)).toContain('line 1 is not UTF-8');
    const batch = await post('/v1/payout-batches?batch_id=b', csv, 'csv');
    expect(batch.status).toBe(400);
    expect(JSON.stringify(batch.body.errors)).toContain('line 2 is not UTF-8');
  });

  test.for([
    ['payout', 'a.json', latin1, 'line 1'],
    ['batch', 'b.csv', csv, 'line 2'],
    ['batch', 'c.csv', Buffer.from(`\ufeff${csv.toString('latin1')}`, 'utf16le'), 'line 1'],
  ] as const)('is refused by the command line as %s in %s', async ([kind, name, content, line]) => {
    const { code, output } = await command(kind, 'start', await fileOf(name, content));
    expect(code).toBe(2);
    expect(output).toContain(`${line} is not UTF-8`);
  });
});

test.for([
  ['a payout', ['payout', 'start'], `{${payout},"value":1500}`],
  ['a payout in Latin-1', ['payout', 'start'], Buffer.from(`{${payout.replace('Lima', 'José')}}`, 'latin1')],
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
    const csv =
      'method,partner_code,value,pix,first_name,last_name,document\npix,a,1,ana@example.com,Ana,Lima,52998224725';
    const lines = { json: `{"batch_id":"b","payouts":[{${row}}]}`, csv, jsonl: `{${row}}` };
    const text = `\ufeff${kind === 'a' ? `{${payout}}` : lines[format]}`;
    const path = kind === 'a' ? '/v1/payouts/pix' : '/v1/payout-batches?batch_id=b';
    expect((await post(path, text, format)).status).toBe(503);
    const args = kind === 'a' ? ['payout', 'start'] : ['batch', 'start'];
    expect((await command(...args, await fileOf(name, text))).code).not.toBe(2);
  },
);
