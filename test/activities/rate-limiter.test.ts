import { describe, expect, test } from 'vitest';
import { RateLimiter } from '../../activities/shared/rate-limiter.js';

describe('a rate of 25 a second', () => {
  test('lets something happen each 40 ms and does not drift when its caller wakes up late', () => {
    const limiter = new RateLimiter(25, 0);
    const happened: number[] = [];
    let now = 0;
    for (let i = 0; i < 100; i += 1) {
      now += limiter.waitMs(now) + 3;
      happened.push(now);
    }
    expect(happened.at(-1)).toBe(4_003);
  });

  test('does not make up for a delay', () => {
    const limiter = new RateLimiter(25, 0);
    expect(limiter.waitMs(0)).toBe(40);
    expect(limiter.waitMs(1_000)).toBe(0);
    expect(limiter.waitMs(1_000)).toBe(40);
  });
});
