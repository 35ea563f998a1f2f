/** For `vi.waitUntil`: a bound for a stuck test, below the one of the test itself, not an expectation. */
export const waiting = { interval: 200, timeout: 240_000 } as const;
