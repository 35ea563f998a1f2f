// The search itself: it keeps the requests that cost most, changes one of them, and keeps what costs more. It knows
// nothing of HTTP, so that a test can give it a parser with a planted fault.

/** How many requests are kept to be changed. */
const kept = 8;
/** What looks bad once is measured again, and the least counts: noise only ever adds. */
const repetitions = 3;

/**
 * The requests that cost most, the worst first. All of `start` are measured, then changed ones while `hasBudget` says
 * so.
 */
export async function worstRequests({ start, mutate, cost, hasBudget, random }) {
  const worst = [];
  const consider = async (request) => {
    const known = JSON.stringify(request);
    if (worst.some((each) => each.known === known)) return;
    const bar = worst.length < kept ? -1 : worst[worst.length - 1].ms;
    let ms = Infinity;
    for (let time = 0; time < repetitions && ms > bar; time += 1) ms = Math.min(ms, await cost(request));
    if (ms <= bar) return;
    worst.push({ request, known, ms });
    worst.sort((one, other) => other.ms - one.ms);
    worst.length = Math.min(worst.length, kept);
  };
  for (const request of start) await consider(request);
  // The worst are changed most often.
  while (hasBudget()) await consider(mutate(worst[Math.floor(random() ** 2 * worst.length)].request));
  return worst.map(({ request, ms }) => ({ request, ms }));
}
