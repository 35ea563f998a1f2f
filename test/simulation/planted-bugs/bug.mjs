/**
 * Bugs of one file, by their names: the one place of each, what stands there instead, and the moves that the exploration
 * plays first, where all sequences of so many are too many. Each is to be found within so many simulated payments of this
 * kind, or by another word here.
 */
export const planted = (kind, within, file, places) =>
  Object.entries(places).map(([name, [find, replace, after = []]]) => ({
    ...{ kind, within, file, name, find, replace, after },
  }));

/** Found by the exploration, which plays short sequences; not by so many simulated payments. */
export const byExploration = 'exploration';

/** Found by a test alone, in this file below `test`. */
export const byTest = (name) => ({ test: `test/${name}.test.ts` });

/** Found by an exploration of days, by eight moves: by no control run. */
export const byDeepExploration = 'deep exploration';
