/** How long creating calls go on reading after their answer, in milliseconds from it, and how many at a time in one worker. */
export type Lingering = {
  readonly readAfterMs: readonly number[];
  readonly endsMs: number;
  readonly most: number;
};

/**
 * A payout that is final within a moment costs Temporal one activity, instead of an activity, a timer and a read. When
 * all places are taken, the others are answered at once: they never wait for a slot because of these.
 */
export const lingering: Lingering = { readAfterMs: [100, 300, 700, 1_300], endsMs: 1_500, most: 100 };
