import type { Description } from './render.mjs';

export function worstRequests(search: {
  readonly start: readonly Description[];
  readonly mutate: (request: Description) => Description;
  readonly cost: (request: Description) => number | Promise<number>;
  readonly hasBudget: () => boolean;
  readonly random: () => number;
}): Promise<{ request: Description; ms: number }[]>;
