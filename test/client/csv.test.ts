import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csvText } from '../../src/client/csv.js';

test('rows end with CRLF, the last one too, and null is an empty cell', () => {
  expect(csvText([['a', null, 1], [null]])).toBe('a,,1\r\n\r\n');
  expect(csvText([['a', null]], '\n')).toBe('a,\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\u202e=1', '＝1', '-1,"x"'])(
  'the text %j is no formula to a spreadsheet',
  (text) => {
    expect(parse(csvText([[text]]))).toEqual([[`'${text.replace('\u202e', '')}`]]);
  },
);

test.each(['\r\n', '\n'] as const)(
  'with rows that end with %j every text comes back as it was',
  (lineEnd) => {
    const texts = ['a,b', 'a"b', 'a\nb', ' a ', 'a-b', "'a"];
    expect(parse(csvText([texts, texts], lineEnd))).toEqual([texts, texts]);
  },
);

test.each(['a\rb', 'a\tb', 'a\u001bb', 'a\u009bb', 'a\u202eb'])(
  'the text %j loses what controls a terminal',
  (text) => {
    expect(parse(csvText([[text]]))).toEqual([['ab']]);
  },
);
