import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/client/batch-rows.js';
import { payoutInput } from '../../src/contract/payout.js';
import { fileOf, postForAllTests, refusedHere, row } from './support/batch-requests.js';

const names = 'method,partner_code,value,pix,first_name,last_name,document';
const first = 'pix,salary-1,150.50,ana@example.com,Ana,Lima,52998224725';
const second = 'pix,salary-2,99.90,eva@example.com,Eva,Lima,52998224725';
const { refused } = postForAllTests();
const batches = '/v1/payout-batches?batch_id=b';

/** What stands in a CSV of these lines. */
const read = (...lines: string[]) => rowsOf('csv', [lines.join('\r\n')]);
const semicolons = (line: string) => line.replaceAll(',', ';');

describe('a CSV as spreadsheets write it', () => {
  test.for([
    ['with rows of empty cells', [names, ',,,,,,', first, ',,,,,,', second, ' , ,,,,,']],
    ['with empty lines', ['', names, '', first, '', '', second, '']],
    ['with an empty last column', [`${names},`, `${first},`, `${second},`]],
    ['with empty columns behind', [`${names},,,`, `${first},,,`, `${second},,,`]],
    ['with an empty column within', [`,${names}`, `,${first}`, `,${second}`]],
    ['that names its separator', ['sep=,', names, first, second]],
    ['that names its separator once more', ['"sep=,",,,,,', names, first, second]],
    ['that names a semicolon', ['SEP=;', ...[names, first, second].map(semicolons)]],
    ['with semicolons', [names, first, second].map(semicolons)],
  ] as const)('%s is read as the plain one', async ([, lines]) => {
    expect(await read(...lines)).toEqual(await read(names, first, second));
  });

  test('is read with line ends of two kinds, and with any number of empty rows', async () => {
    const text = `sep=,\n${names}\r\n${first}\n${',,,,,,\r\n'.repeat(40_000)}${second}\r\n`;
    const rows = await rowsOf('csv', [text]);
    expect(rows).toEqual(await read(names, first, second));
    const faulty = text.replace('eva@example.com', 'eva');
    expect(await refused(batches, faulty, 'csv')).toMatchObject([{ row: 2, line: 40_004, field: 'pix' }]);
  });

  const [opened, closed] = [first.replace('Ana', '"Ana'), second.replace('Eva', 'Eva"')];
  const unclosed = second.replace('Eva', '"Eva');
  const many = Array.from({ length: 3_000 }, () => first);
  const quoted = 'behind line 2 a quotation mark is opened that nothing closes';
  const shifted = ['method,partner_code,value,watch_days', 'pix,a,150,50,'];
  const tabbed = [names, first].map((line) => line.replaceAll(',', '\t'));

  test.for([
    ['a value without a name', [`${names},`, `${first},`, `${second},7`], 'line 3 has a value in column 8'],
    ['a value behind the last column', [names, '', first, `${second},7`], 'line 4 has 8 cells'],
    ['a row that is shifted by a decimal comma', shifted, 'line 2 has 5 cells'],
    ['a quotation mark that nothing closes', [names, first, unclosed, ...many], quoted],
    ['one in its last row', [names, first, unclosed], quoted],
    ['one that joins two rows', [names, opened, closed], 'the row behind line 1 has a line break in a cell'],
    ['a line that is cut off', [names, first, 'pix,salary-2,99'], 'line 3 has 3 cells'],
    ['tabs between its cells', tabbed, 'commas or semicolons'],
  ] as const)('with %s is refused: %s', async ([, lines, fault]) => {
    await expect(read(...lines)).rejects.toThrow(fault);
  });

  test.for(['1e3', '=1+1', '1.234,50'])('a value of %s is no amount', async (value) => {
    const text = [names, first.replace('150.50', `"${value}"`)].join('\n');
    expect(await refused(batches, text, 'csv')).toMatchObject([{ row: 1, field: 'value' }]);
  });

  test.for(['csv', 'jsonl'] as const)(
    'of %s is refused by the lines of the file, whatever is empty',
    async (format) => {
      const noKey = `{${row.replace('ana@', '').replace('salary-1', 'salary-2')}}`;
      const text = {
        csv: ['sep=,', names, '', '', first, ',,,,,,', second.replace('eva@example.com', 'eva')],
        jsonl: ['', `{${row}}`, '', '', '', '', noKey],
      }[format].join('\n');
      expect(await refused(batches, text, format)).toMatchObject([{ row: 2, line: 7, field: 'pix' }]);
    },
  );

  test('with one code twice is refused by both lines', async () => {
    const errors = await refused(batches, [names, '', first, first].join('\n'), 'csv');
    const message = expect.stringContaining('is the partner_code of line 3 already') as string;
    expect(errors).toMatchObject([{ row: 2, line: 4, field: 'partner_code', message }]);
  });

  test.for([
    ['pagamentos (1).csv', 'give --batch-id', 'Give --batch-id'],
    ['rents.tsv', 'is saved as CSV', 'save a table as CSV'],
    ['rents.xlsx', 'is saved as CSV', 'save a table as CSV'],
  ] as const)('in a file named %s is refused, and says: %s', async ([name, , hint]) => {
    const output = await refusedHere('batch', 'start', await fileOf(name, [names, first].join('\n')));
    expect(output).toContain(hint);
    expect(output).toContain('Nothing was started');
  });
});

test('a moment without seconds is the one with none, and one without an offset is refused', () => {
  const payout = { ...JSON.parse(`{${row}}`), send_before: '2026-11-26T19:48:00Z' } as object;
  const parsed = payoutInput.parse(payout);
  expect(payoutInput.parse({ ...payout, send_before: '2026-11-26T19:48Z' })).toEqual(parsed);
  for (const send_before of ['2026-11-26T19:48', '2026-11-26', '26/11/2026 19:48'])
    expect(payoutInput.safeParse({ ...payout, send_before }).success).toBe(false);
});
