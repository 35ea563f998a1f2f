import { performance } from 'node:perf_hooks';

/**
 * Does something `count` times, so many at once at most.
 *
 * @returns what each has answered, and how long each took, in milliseconds
 */
export async function inFlight(count, atOnce, once) {
  const answers = [];
  const latenciesMs = [];
  let left = count;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const startedMs = performance.now();
      answers.push(await once());
      latenciesMs.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, work));
  return { answers, latenciesMs };
}
