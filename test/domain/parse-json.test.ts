import { expect, test } from 'vitest';
import { parseJson } from '../../src/domain/parse-json.js';

test.for([
  ['{"id":9007199254740993}', { id: '9007199254740993' }],
  ['[-9007199254740993, 1]', ['-9007199254740993', 1]],
  ['{"total":0.30000000000000004}', { total: 0.1 + 0.2 }],
  ['{"a":1.5e21,"b":12345678901234567e2}', { a: 1.5e21, b: Number('12345678901234567e2') }],
  ['{"a":123456789012345}', { a: 123456789012345 }],
  [
    String.raw`["1 \" 9007199254740993 \\",9007199254740993]`,
    ['1 " 9007199254740993 \\', '9007199254740993'],
  ],
  ['"4111111111111111"', '4111111111111111'],
] as const)('%s keeps its digits', ([text, value]) => {
  expect(parseJson(text)).toEqual(value);
});

test.for([
  ['quotes', '"'],
  ['escaped quotes', String.raw`"\"`],
  ['backslashes', String.raw`"\\`],
  ['digits', '1'],
  ['broken numbers', '1234567890123456.'],
] as const)('a mebibyte of %s is no JSON, and soon found not to be', ([, unit]) => {
  const text = `"${unit.repeat(1_048_576 / unit.length)}x`;
  expect(() => parseJson(text)).toThrow(SyntaxError);
  expect(() => parseJson(text.slice(1))).toThrow(SyntaxError);
});
