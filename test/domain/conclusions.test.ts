import { expect, test } from 'vitest';
import {
  joined,
  needsOf,
  reasonsOf,
  stillAcknowledged,
  stillToSee,
  unacknowledged,
  without,
} from '../../src/domain/conclusions.js';

const late = ['overdue', 'late'] as const;
const twice = ['paid_twice', 'twice'] as const;
const odd = ['inconsistent_answer', 'odd'] as const;
const odder = ['inconsistent_answer', 'odder'] as const;

test('the reasons that there are become needs, each once, the gravest first', () => {
  const needs = needsOf([late, ['overdue', null], ['chargeback', false], odd, odder, odd, twice]);
  expect(needs).toEqual({ overdue: ['late'], paid_twice: ['twice'], inconsistent_answer: ['odd', 'odder'] });
  expect(reasonsOf(needs)).toEqual([twice, odd, odder, late]);
});

test.for([
  ['nothing was acknowledged', [odd, late], [], [odd, late], []],
  ['one of two reasons was', [odd, odder], [odd], [odder], [odd]],
  ['all of them were', [odd], [odd], [], [odd]],
  ['what was acknowledged has gone', [late], [odd], [late], []],
  ['another reason of its kind has come about', [odder], [odd], [odder], []],
] as const)('where %s, the others are left, and what has gone is forgotten', ([, held, seen, left, kept]) => {
  const [needs, acknowledged] = [needsOf(held), needsOf(seen)];
  expect(unacknowledged(needs, acknowledged)).toEqual(needsOf(left));
  expect(stillAcknowledged(acknowledged, needs)).toEqual(needsOf(kept));
});

test('an answer that did not fit is to be seen until it is acknowledged, of many the latest; nothing else is', () => {
  expect(stillToSee(needsOf([odd, late]), needsOf([odder]))).toEqual(needsOf([odd, odder]));
  expect(stillToSee(needsOf([late]), {})).toEqual({});
  const many = Array.from({ length: 9 }, (_, index) => ['inconsistent_answer', String(index)] as const);
  const seen = stillToSee(needsOf(many), needsOf([odd]));
  expect(seen).toEqual({ inconsistent_answer: ['4', '5', '6', '7', '8', 'odd'] });
  expect(stillToSee(seen, needsOf([odd]))).toEqual(seen);
});

test('needs are joined, and those of one attention are left out', () => {
  expect(joined(needsOf([odd, late]), needsOf([odd, odder]))).toEqual(needsOf([odd, late, odder]));
  expect(without(needsOf([odd, late]), 'inconsistent_answer')).toEqual(needsOf([late]));
});
