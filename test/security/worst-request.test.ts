import { expect, test } from 'vitest';
import { mutated } from '../../scripts/bench/event-loop/mutate.mjs';
import { rendered } from '../../scripts/bench/event-loop/render.mjs';
import type { Description, Shape } from '../../scripts/bench/event-loop/render.mjs';
import { worstRequests } from '../../scripts/bench/event-loop/search.mjs';
import { seededRandom } from '../../scripts/seeded-random.mjs';

const shape: Shape = {
  route: 'POST /v1/planted/:code',
  ...{ bodyBytes: 1_024, headerBytes: 4_096, types: ['application/json', 'text/csv'] },
  example: { name: 'Ana', note: 'for May', customer: { city: 'Recife' }, rows: [{ value: 1 }] },
  fields: [
    ...['name', 'customer', 'customer.city', 'rows', 'rows.*.value'].map((path) => ({ path })),
    { path: 'note', type: 'string' },
  ],
  ...{ params: ['code'], query: ['since'], headers: ['prefer'] },
};
const asItIs = { body: { kind: 'object', edits: {} } };

/** The steps of a parser that looks for blanks at the end of `note` as the expression / +$/ does: from each one anew. */
function stepsOfPlanted({ content }: { content: Buffer }): number {
  const note = noteIn(content.toString());
  let steps = 1;
  for (let from = 0; from < note.length; from += 1) {
    for (let at = from; note[at] === ' '; at += 1) steps += 1;
  }
  return steps;
}

function noteIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const hasNote = typeof body === 'object' && body !== null && 'note' in body;
    return hasNote && typeof body.note === 'string' ? body.note : '';
  } catch {
    return '';
  }
}

test('the search finds a parser that is slow for one field and one character, within 2,000 requests', async () => {
  const random = seededRandom(1);
  let requests = 0;
  const [worst] = await worstRequests({
    ...{ start: [asItIs], random, mutate: (request) => mutated(request, shape, random) },
    cost: (request) => {
      requests += 1;
      return stepsOfPlanted(rendered(request, shape));
    },
    hasBudget: () => requests < 2_000,
  });
  // Nearly the whole body is blanks in that field; of the example there is one step for each blank.
  expect(worst?.ms).toBeGreaterThan(300_000);
  expect(JSON.stringify(worst?.request)).toContain('"note":{"kind":"text","unit":" "');
});

test('no request that it makes is beyond the limits of the route, and its description repeats it', () => {
  const random = seededRandom(2);
  let request: Description = asItIs;
  const sizes: number[] = [];
  for (let made = 0; made < 2_000; made += 1) {
    request = made % 20 === 0 ? asItIs : mutated(request, shape, random);
    const { path, headers, content } = rendered(request, shape);
    const head = [path, ...Object.entries(headers).flat()].join('\r\n');
    expect(content.length).toBeLessThanOrEqual(shape.bodyBytes);
    expect(Buffer.byteLength(head)).toBeLessThanOrEqual(shape.headerBytes);
    sizes.push(content.length);
    const described = JSON.parse(JSON.stringify(request)) as Description;
    expect(rendered(described, shape).content.equals(content)).toBe(true);
  }
  // Many make use of them.
  expect(sizes.filter((bytes) => bytes > shape.bodyBytes * 0.9).length).toBeGreaterThan(300);
});
