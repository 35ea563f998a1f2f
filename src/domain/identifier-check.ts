const second = 1_000;
const minute = 60 * second;

/** How often identifiers that two payments have are searched. */
export const checkEveryMs = 20 * second;

/** How often a run of `identifierCheck` is started, how long it goes on, and how far the first one looks back. */
export const identifierCheck = {
  startEveryMs: 10 * minute,
  lastsMs: 9 * minute + 40 * second,
  backMs: 15 * minute,
} as const;
