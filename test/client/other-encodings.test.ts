import { expect, test } from 'vitest';
import { fileOf, postForAllTests, refusedHere, row, type Format } from './support/batch-requests.js';

const { refused } = postForAllTests();

const named = (name: string) => row.replace('Lima', name);
/** Of each format a batch whose second line has a name with an accent, or without one. */
const batchOf: Record<Format, (name: string) => string> = {
  json: (name) => `{"batch_id":"b","payouts":[\n{${named(name)}}]}`,
  jsonl: (name) => `{${row}}\n{${named(name)}}`,
  csv: (name) => `method,partner_code,value,pix,first_name\npix,a,1,ana@example.com,${name}`,
};
const formats = ['json', 'jsonl', 'csv'] as const;
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const encodings = [
  ['Latin-1', 'José', (text: string) => Buffer.from(text, 'latin1'), 2],
  ['a code page of Windows', 'O\u0092Hara', (text: string) => Buffer.from(text, 'latin1'), 2],
  ['UTF-8 of which a byte is lost', 'Jos\u00c3', (text: string) => Buffer.from(text, 'latin1'), 2],
  ['UTF-16', 'José', (text: string) => utf16(`\ufeff${text}`), 1],
  ['UTF-16, the other byte first', 'José', (text: string) => utf16(`\ufeff${text}`).swap16(), 1],
  ['UTF-16 of plain letters without a byte order mark', 'Lima', utf16, 1],
] as const;

test.for(formats.flatMap((format) => encodings.map((encoding) => [format, ...encoding] as const)))(
  'a batch of %s in %s is refused with its line and what to save it as',
  async ([format, , name, encode, line]) => {
    const content = encode(batchOf[format](name));
    const reported = `line ${String(line)} is not UTF-8 text: save it as UTF-8`;
    const errors = await refused('/v1/payout-batches?batch_id=b', content, format);
    expect(errors).toMatchObject([{ message: reported }]);
    expect(await refusedHere('batch', 'start', await fileOf(`b.${format}`, content))).toContain(reported);
  },
);
