const second = 1_000;
const minute = 60 * second;

/** Of `identifierCheck`: how often it searches, how often a run starts, how long it lasts, how far back the first one goes. */
export const identifierCheck = {
  everyMs: 20 * second,
  startEveryMs: 10 * minute,
  lastsMs: 9 * minute + 40 * second,
  backMs: 15 * minute,
} as const;
