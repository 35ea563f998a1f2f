/** One place of one file, and what stands there instead; to be found within so many simulated payments of this kind, or by another word here. */
export const bug = (kind, within, file, name, find, replace) => ({ kind, within, file, name, find, replace });

/** Found by the exploration, which plays short sequences; not by so many simulated payments. */
export const byExploration = 'exploration';

/** Found by an exploration of days, by eight moves: by no control run. */
export const byDeepExploration = 'deep exploration';
