import { describe, expect, test } from 'vitest';
import { Pace } from '../../src/domain/pace.js';

describe('a pace of 25 a second', () => {
  test('comes each 40 ms and does not drift when its caller wakes up late', () => {
    const pace = new Pace(25, 0);
    const happened: number[] = [];
    let now = 0;
    for (let i = 0; i < 100; i += 1) {
      now += pace.waitMs(now) + 3;
      happened.push(now);
    }
    expect(happened.at(-1)).toBe(4_003);
  });

  test('does not make up for a delay', () => {
    const pace = new Pace(25, 0);
    expect(pace.waitMs(0)).toBe(40);
    expect(pace.waitMs(1_000)).toBe(0);
    expect(pace.waitMs(1_000)).toBe(40);
  });
});
