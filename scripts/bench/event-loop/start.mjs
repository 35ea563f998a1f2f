// The requests that a search begins with: the worst that were thought of by hand, made for the fields, parameters and
// forms that a route has. Batches, bulk retries and the codec have some of their own.
import { Buffer } from 'node:buffer';
import { valueAt } from './render.mjs';
import { nests, rawUnits, units } from './texts.mjs';

export const text = (unit, more = {}) => ({ kind: 'text', unit, ...more });
export const edited = (edits, at = '') => ({ kind: 'object', at, edits });
const items = (of, count, more = {}) => ({ kind: 'items', count, of, ...more });
const manyFields = (of, count) => ({ kind: 'fields', count, name: 'f', of });
const pan = { kind: 'literal', value: '4111111111111111' };
const one = { kind: 'literal', value: 1 };

export function startOf(shape) {
  if (shape.types.length === 0) return [{}, ...heads(shape)];
  const isBatch = shape.route.includes('payout-batches');
  const whole = [...asItIs(shape), ...bodies(shape)];
  const inChunks = [...asItIs(shape), ...blanks(shape)].map((request) => ({ ...request, chunk: 1 }));
  const more = isBatch ? batches(shape) : shape.isAnswer ? answers(shape) : [];
  return [...whole, ...inChunks, ...heads(shape), ...more];
}

function asItIs({ route, params }) {
  const genuine = params.includes('capability') ? { params: { capability: { kind: 'genuine' } } } : {};
  return [
    {
      body: edited(route.includes('batch') ? { batch_id: { kind: 'literal', value: 'bench' } } : {}),
      ...genuine,
    },
  ];
}

function blanks(shape) {
  return asItIs(shape).map((request) => ({ ...request, body: { kind: 'raw', unit: ' ' } }));
}

/** Answers with as many fields and as deep as is taken, pages, and texts that may be card numbers, in each encoding. */
function answers({ encodings, elements, depth }) {
  const named = { ...manyFields(one, elements), name: 'é', nameTimes: 20 };
  const deep = { kind: 'nested', open: '{"é":', close: '}', most: depth };
  const texts = items(items(text('4-'), 100), 100);
  const page = { kind: 'raw', unit: '<é' };
  const bodies = [edited({}), named, items(deep, Math.floor(elements / depth)), edited({ texts }), page];
  return [undefined, ...encodings].flatMap((encoding) => bodies.map((body) => ({ body, encoding })));
}

/** Each part of the head as long as it may be; a name in the path is looked at up to 512 characters. */
function heads({ params, query, headers, types }) {
  const body = types.length > 0 ? { body: edited({}) } : {};
  const of = (part, names, texts) =>
    names.flatMap((name) => texts.map((each) => ({ ...body, [part]: { [name]: each } })));
  return [
    ...of('params', params, [text('%31'), text('A', { most: 500 }), text('-r1', { most: 64 })]),
    ...of('query', query, [
      text('%31'),
      text('1'),
      text('A'),
      text('1', { start: '2026-05-01T00:00:00.', end: 'Z' }),
      // Valid ones, for the most that they are answered.
      text('0', { start: '2026-05-01T00:00:00.0', end: 'Z', most: 24 }),
      text('200', { most: 3 }),
      text('payout-1', { most: 8 }),
    ]),
    ...of(
      'headers',
      [...headers, 'content-type', 'accept'],
      [text('wait=1,'), text(' ', { start: 'x', end: 'x' })],
    ),
    { ...body, manyHeaders: 1_000 },
  ];
}

function bodies(shape) {
  const { fields, bodyBytes, route, elements = Infinity } = shape;
  const inAll = (node) => edited(Object.fromEntries(leavesOf(fields).map(({ path }) => [path, node])));
  const open = fields.filter(({ isOpen }) => isOpen).map(({ path }) => path);
  const arrays = fields.filter(({ type }) => type === 'array').map(({ path }) => path);
  const genuine = route.includes(':capability') ? { params: { capability: { kind: 'genuine' } } } : {};
  // A batch is read in turns, so more of the same costs time in the search alone.
  const size = route.includes('payout-batches') ? { size: 0.05 } : {};
  return [
    ...(leavesOf(fields).length > 0 ? units : []).map((unit) => inAll(text(unit))),
    ...units.slice(0, 12).map((unit) => edited({ unknown: text(unit) })),
    ...nests.flatMap(([begin, end]) => [
      { kind: 'nested', open: begin },
      { kind: 'nested', open: begin, close: end },
    ]),
    ...rawUnits.map((unit) => ({ kind: 'raw', unit })),
    items(one, Math.min(elements, Math.floor(bodyBytes / 8))),
    manyFields(one, Math.min(elements, Math.floor(bodyBytes / 10))),
    ...open.flatMap((path) => [
      edited({ [path]: manyFields(one, 5_000) }),
      edited({ [path]: manyFields(pan, 2_000) }),
    ]),
    edited(Object.fromEntries(open.map((path) => [path, manyFields(one, 5_000)]))),
    ...arrays.map((path) => edited({ [path]: items(elementOf(shape, path), Math.floor(bodyBytes / 16)) })),
    ...(route.includes('/codec/') ? payloads() : []),
  ]
    .map((body) => ({ body, ...genuine, ...size }))
    .flatMap((request) =>
      route === 'POST /codec/decode' && request.body.edits?.payloads !== undefined
        ? [request, { ...request, sealed: true, size: 0.9 }]
        : [request],
    );
}

/** What an array of the example consists of, each element with a text of its own where it has a code. */
export function elementOf({ example, fields }, path) {
  const element = valueAt(example, `${path}.*`);
  if (typeof element !== 'object' || element === null) return { kind: 'counted', unit: 'bench-' };
  const hasCode = fields.some((field) => field.path === `${path}.*.partner_code`);
  return edited(hasCode ? { partner_code: { kind: 'counted', unit: 'bench-' } } : {}, `${path}.0`);
}

/** Fields that hold no others. */
export function leavesOf(fields) {
  return fields.filter(({ type, isOpen }) => type !== 'object' && type !== 'array' && isOpen !== true);
}

function payloads() {
  const data = text('AAAA');
  const encrypted = {
    encoding: { kind: 'literal', value: Buffer.from('binary/encrypted').toString('base64') },
  };
  const of = (payload, count) => edited({ payloads: items(payload, count) });
  return [
    of(edited({ metadata: edited({}, 'none'), data }, 'none'), 1),
    of(edited({ metadata: edited(encrypted, 'none'), data }, 'none'), 1_000),
    of(edited({ metadata: edited(encrypted, 'none'), data }, 'none'), 16),
    of(edited({ data }, 'none'), 1_000),
    of(edited({}, 'none'), 2_000_000),
    of(
      edited({ metadata: { kind: 'fields', count: 14_000, name: 'a', of: text('A', { most: 0 }) } }, 'none'),
      1,
    ),
    of(edited({ metadata: { kind: 'fields', count: 8, name: 'a', nameTimes: 50_000, of: data } }, 'none'), 1),
  ];
}

function batches(shape) {
  const row = elementOf(shape, 'payouts');
  const wide = {
    ...row,
    edits: {
      ...row.edits,
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, manyFields(one, 25)])),
    },
  };
  const batch = (payouts) => ({ body: edited({ batch_id: { kind: 'literal', value: 'bench' }, payouts }) });
  const example = valueAt(shape.example, 'payouts.0');
  const columns = Object.keys(example);
  const asInExample = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, { kind: 'literal', value }]),
  );
  const csv = (more) => ({
    kind: 'csv',
    columns,
    separator: ',',
    count: 10_000,
    cells: { ...asInExample, partner_code: row.edits.partner_code },
    ...more,
  });
  const asText = (type, body) => ({ body, type, query: { batch_id: text('bench', { most: 5 }) } });
  return [
    batch(items(row, 10_000)),
    batch(items(wide, 10_000)),
    batch(items(row, 9_999, { odd: { kind: 'nested', open: '[' } })),
    batch(items({ ...row, edits: { ...row.edits, first_name: text('4 ') } }, 300)),
    asText('text/csv', csv({})),
    asText('text/csv', csv({ quoted: true, separator: ';' })),
    asText('text/csv', csv({ count: 200, cells: { ...asInExample, first_name: text('1 ') }, quoted: true })),
    asText('text/csv', { kind: 'raw', unit: 'a\n', start: 'method\n' }),
    asText('text/csv', { kind: 'raw', unit: 'a,' }),
    asText('text/csv', { kind: 'raw', unit: '1 ', start: 'method\n"' }),
    asText('application/x-ndjson', { kind: 'raw', unit: '1\n' }),
    asText('application/x-ndjson', { kind: 'lines', count: 10_000, of: row }),
  ];
}
