/**
 * One place of one file, and what stands there instead; to be found within so many simulated payments of this kind, or by
 * another word here. The exploration plays these moves first (`after`), where all sequences of so many are too many.
 */
export const bug = (kind, within, file, name, find, replace, after = []) => ({
  ...{ kind, within, file, name, find, replace, after },
});

/** Found by the exploration, which plays short sequences; not by so many simulated payments. */
export const byExploration = 'exploration';

/** Found by a test alone, in this file below `test`. */
export const byTest = (name) => ({ test: `test/${name}.test.ts` });

/** Found by an exploration of days, by eight moves: by no control run. */
export const byDeepExploration = 'deep exploration';
