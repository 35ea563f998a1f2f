// For every route of the gateway, and for every kind of answer of the payments service: the longest time, in processor time,
// that one request or answer stops the event loop, and the most memory that it takes, by the worst that a search finds within
// the limits. Ends with 1 when one takes more than 100 ms. Temporal is away: what is measured is all that the gateway does by
// itself.
import { randomInt } from 'node:crypto';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startAnswers } from './answers.mjs';
import { mutated } from './mutate.mjs';
import { startProbe } from './probe.mjs';
import { seededRandom } from '../../seeded-random.mjs';
import { worstRequests } from './search.mjs';
import { shapesOf } from './shapes.mjs';
import { startOf } from './start.mjs';
import { inWords } from './words.mjs';

const usage = `Usage: npm run bench:event-loop [-- options]
  --route <text>              the routes that hold it alone
  --seconds-per-route <n>     for changed requests, after those that each search begins with; default 10
  --seed <n>                  draws the changes; time bounds a search, so a seed alone does not repeat it
  --request <description>     measures this one alone: what is printed below a route repeats what was found`;
const boundMs = 100;
/** A collection of garbage may fall into any turn: the worst are measured again, and the best counts. */
const tries = 4;
const finalists = 3;

/** What may have come along with a change, and cost nothing. */
const droppable = [
  ['headers', 'manyHeaders'],
  ['query'],
  ['type', 'size'],
  ['chunk'],
  ['encoding'],
  ['body.odd'],
];

const { values } = parseArgs({
  options: {
    route: { type: 'string', default: '' },
    'seconds-per-route': { type: 'string', default: '10' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    request: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const random = seededRandom(Number(values.seed));
const probe = await startProbe();
const answers = await startAnswers();
const measure = (request, shape) => (shape.isAnswer ? answers : probe).measure(request, shape);
let last;
try {
  const document = await (await fetch(`${probe.url}/openapi.json`)).json();
  const shapes = [...shapesOf(probe, document), ...answers.shapes];
  // Code that runs for the first time is compiled, which is no request's doing.
  for (const shape of shapes) await measure(startOf(shape)[0], shape);
  const chosen = shapes.filter(({ route }) => route.includes(values.route));
  const slow = values.request === undefined ? await table(chosen) : await single(chosen);
  if (slow.length > 0) throw new Error(`Above ${boundMs} ms: ${slow.join(', ')}`);
} catch (error) {
  console.error(`${error.message} The last request: --request '${JSON.stringify(last)}'`);
  process.exitCode = 1;
} finally {
  probe.stop();
  answers.stop();
}

async function table(shapes) {
  const slow = [];
  console.log('| route | worst request | event loop | memory |\n| --- | --- | --- | --- |');
  for (const shape of shapes) {
    const { request, ms, mb, measured } = await worstOf(shape);
    console.log(`| \`${shape.route}\` | ${inWords(request)} | ${Math.ceil(ms)} ms | ${Math.ceil(mb)} MB |`);
    console.error(`  ${measured} requests, seed ${values.seed}: --request '${JSON.stringify(request)}'`);
    if (ms > boundMs) slow.push(shape.route);
  }
  return slow;
}

async function single(shapes) {
  const slow = [];
  for (const shape of shapes) {
    const { status, ms, mb } = await leastOf(JSON.parse(values.request), shape);
    console.log(`${shape.route}: ${status}, ${Math.ceil(ms)} ms, ${Math.ceil(mb)} MB`);
    if (ms > boundMs) slow.push(shape.route);
  }
  return slow;
}

async function worstOf(shape) {
  let largest = { request: {}, mb: -1 };
  let measured = 0;
  const start = startOf(shape);
  const budgetMs = Number(values['seconds-per-route']) * 1_000;
  let endsAt;
  const found = await worstRequests({
    ...{ start, random, mutate: (request) => mutated(request, shape, random) },
    cost: async (request) => {
      last = request;
      const { ms, mb } = await measure(request, shape);
      measured += 1;
      if (mb > largest.mb) largest = { request, mb };
      return ms;
    },
    hasBudget: () => Date.now() < (endsAt ??= Date.now() + budgetMs),
  });
  let worst = { request: {}, ms: -1 };
  for (const { request } of found.slice(0, finalists)) {
    const { ms } = await leastOf(request, shape);
    if (ms > worst.ms) worst = { request, ms };
  }
  const { mb } = await leastOf(largest.request, shape);
  return { ...(await simplified(worst, shape)), mb, measured };
}

/** Without those parts that cost nothing. */
async function simplified(worst, shape) {
  let simplest = worst;
  for (const parts of droppable) {
    const request = structuredClone(simplest.request);
    for (const part of parts) {
      if (part === 'body.odd') delete request.body?.odd;
      else delete request[part];
    }
    if (JSON.stringify(request) === JSON.stringify(simplest.request)) continue;
    const { ms } = await leastOf(request, shape);
    if (ms > worst.ms * 0.9) simplest = { request, ms };
  }
  return simplest;
}

/** The least of several times. */
async function leastOf(request, shape) {
  let least = { ms: Infinity, mb: Infinity };
  for (let time = 0; time < tries; time += 1) {
    const { status, ms, mb } = await measure(request, shape);
    least = { status, ms: Math.min(ms, least.ms), mb: Math.min(mb, least.mb) };
  }
  return least;
}
