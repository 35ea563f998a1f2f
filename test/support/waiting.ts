/** For `vi.waitUntil`: a bound for a stuck test, below the one of the test itself, not an expectation. */
export const waiting = { interval: 200, timeout: 50_000 } as const;

/** For `vi.setConfig`, in files whose tests wait for a bound of the program's own, such as the 75 seconds of a creating call. */
export const longTests = { testTimeout: 240_000 };

/** As {@link waiting}, there. */
export const waitingLong = { ...waiting, timeout: 220_000 } as const;
