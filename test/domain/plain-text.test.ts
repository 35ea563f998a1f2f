import { describe, expect, test } from 'vitest';
import {
  lineFault,
  printable,
  printableJson,
  printableLine,
  withoutOuterBlanks,
} from '../../src/domain/plain-text.js';

const [escape, bell, rightToLeft, zeroWidth, tag] = ['\u001b', '\u0007', '\u202e', '\u200b', '\u{e0041}'];

test.for([
  ['letters, marks and blanks', 'Ana Côrtes, 1ª', undefined],
  ['joiners of Persian and emoji', 'a\u200cb\u200dc 👨\u200d👩\u200d👧', undefined],
  ['a sequence for a terminal', `${escape}[2J`, 'control'],
  ['a bell', bell, 'control'],
  ['a line break', 'two\nlines', 'line breaks'],
  ['a line separator', 'two\u2028lines', 'line breaks'],
  ['a paragraph separator', 'two\u2029lines', 'line breaks'],
  ['a sign that reverses the line', rightToLeft, 'format'],
  ['a blank without width', `do${zeroWidth}ne`, 'format'],
  ['a tag beyond the first plane', tag, 'format'],
  ['something invisible after a joiner', `\u200d${bell}`, 'control'],
  ['half an emoji', '\ud83c', 'broken character'],
  ['no character', '\uffff', 'broken character'],
  ['a character that was lost', 'Jos\ufffd', 'broken character'],
] as const)('a text from outside with %s, %j, is at fault: %s', ([, text, fault]) => {
  expect(lineFault(text) ?? '(none)').toContain(fault ?? '(none)');
});

test('blanks around a value are left out, whatever their width, and line breaks are not', () => {
  expect(withoutOuterBlanks(' \u00a0\t52998224725\u2003 ')).toBe('52998224725');
  expect(withoutOuterBlanks('a b\r')).toBe('a b\r');
});

describe('what a terminal gets', () => {
  test('keeps its lines and joiners, and loses whatever moves the cursor or reverses a line', () => {
    const text = `a${escape}[31m\nb\r${rightToLeft}c\u2028d\u2029e\u200df${tag}`;
    expect(printable(text)).toBe('a[31m\nbcde\u200df');
  });
  test('is one line where somebody else wrote it, with a blank for each break', () => {
    expect(printableLine('a\r\n\r\nb\u2028c\u2029d\ne')).toBe('a b c d e');
    expect(printableLine(`a${bell}b`)).toBe('ab');
  });
  test('is JSON of the same value, in which nothing is unprintable', () => {
    const value = { text: `a${rightToLeft}${zeroWidth}${tag}\u0085`, joined: 'a\u200db', line: 'a\nb' };
    const json = printableJson(value);
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toContain('a\\u202e\\u200b\\udb40\\udc41\\u0085');
    expect(json).toContain('a\u200db');
    expect(json.split('\n')).toHaveLength(5);
  });
});
