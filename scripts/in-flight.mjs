import { performance } from 'node:perf_hooks';

/**
 * Does something `count` times, so many at once at most. It is told which time it is, from 0 on.
 *
 * @returns what each has answered, in that order, and how long each took, in milliseconds
 */
export async function inFlight(count, atOnce, once) {
  const answers = [];
  const latenciesMs = [];
  let begun = 0;
  const work = async () => {
    while (begun < count) {
      const index = begun;
      begun += 1;
      const startedMs = performance.now();
      answers[index] = await once(index);
      latenciesMs.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, work));
  return { answers, latenciesMs };
}
