/** One place of one file, and what stands there instead; to be found within so many simulated payments of this kind, unless null. */
export const bug = (kind, within, file, name, find, replace) => ({ kind, within, file, name, find, replace });

/** Found by the exploration, which plays short sequences; not by so many simulated payments. */
export const byExploration = null;
