// One change to a request: of a text, a number of elements, a place, a field, a form, or of the head. Changes of all
// kinds are as likely for each route; those that do not fit it do nothing.
import { edited, elementOf, leavesOf, text } from './start.mjs';
import { beginnings, ends, literals, nests, rawUnits, units } from './texts.mjs';

const lengths = [undefined, undefined, 16, 64, 200, 255, 500, 1_000, 2_048, 4_096, 16_384, 60_000];
const headers = [
  'prefer',
  'accept',
  'accept-encoding',
  'authorization',
  'content-type',
  'content-encoding',
  'cookie',
  'origin',
  'host',
  'traceparent',
  'x-forwarded-for',
  'if-none-match',
  'range',
];

/** A changed copy of a request. `random` gives numbers in [0, 1). */
export function mutated(request, shape, random) {
  const draw = drawer(random);
  const changes = shape.encodings === undefined ? [head, head] : [encoding, encoding];
  if (request.body !== undefined) changes.push(size, body, body, body, body, body, fresh);
  return draw.one(changes)(structuredClone(request), shape, draw);
}

function drawer(random) {
  const below = (count) => Math.floor(random() * count);
  const one = (list) => list[below(list.length)];
  return { random, below, one };
}

function someText(draw, most = draw.one(lengths)) {
  const given = { start: draw.one(beginnings), end: draw.one(ends) };
  return text(draw.one(units), { ...given, ...(most === undefined ? {} : { most }) });
}

function head(request, { params, query, types }, draw) {
  const choices = [
    () => (request.headers = { ...request.headers, [draw.one(headers)]: someText(draw) }),
    () => (request.headers = { [draw.one(headers)]: someText(draw) }),
    () => (request.manyHeaders = draw.one([0, 100, 1_000])),
  ];
  for (let time = 0; time < 2; time += 1) {
    if (params.length > 0)
      choices.push(() => (request.params = { ...request.params, [draw.one(params)]: someText(draw) }));
    if (query.length > 0) {
      choices.push(() => (request.query = { ...request.query, [draw.one(query)]: someText(draw) }));
      choices.push(() => (request.query = { [draw.one([...query, 'unknown'])]: someText(draw) }));
    }
    if (types.length > 1) choices.push(() => (request.type = draw.one(types)));
  }
  draw.one(choices)();
  return request;
}

function encoding(request, { encodings }, draw) {
  return { ...request, encoding: draw.one([undefined, ...encodings]) };
}

function size(request, _shape, draw) {
  if (draw.below(3) > 0) request.size = draw.one([1, 0.5, 0.2, 0.05, 0.01]);
  else request.chunk = draw.one([0, 1, 16, 1_000]);
  return request;
}

/** A body that has nothing of the one before. */
function fresh(request, shape, draw) {
  return { ...request, body: draw.below(3) === 0 ? somePart(shape, draw, 0) : edit(edited({}), shape, draw) };
}

function body(request, shape, draw) {
  const places = [...placesIn(request.body)];
  const { node, replace } = draw.one([
    { node: request.body, replace: (part) => (request.body = part) },
    ...places,
  ]);
  replace(changed(node, shape, draw));
  return request;
}

/** Every part within a part, and how to put another in its place. */
function* placesIn(node) {
  for (const name of ['of', 'odd'])
    if (node[name] != null) {
      yield { node: node[name], replace: (part) => (node[name] = part) };
      yield* placesIn(node[name]);
    }
  for (const group of [node.edits, node.cells])
    for (const [name, inner] of Object.entries(group ?? {})) {
      yield { node: inner, replace: (part) => (group[name] = part) };
      yield* placesIn(inner);
    }
}

function changed(node, shape, draw) {
  switch (node.kind) {
    case 'object':
      return edit(node, shape, draw);
    case 'text':
      return draw.one([
        () => ({ ...node, unit: draw.one(units) }),
        () => ({ ...node, end: draw.one(ends) }),
        () => ({ ...node, start: draw.one(beginnings) }),
        () => ({ ...node, most: draw.one(lengths) }),
        () => ({ ...node, escaped: draw.below(2) === 0 }),
        () => somePart(shape, draw, 1),
      ])();
    case 'raw':
      return {
        ...node,
        ...draw.one([
          { unit: draw.one(rawUnits) },
          { start: draw.one(['', '{"a":', '[', '"']) },
          { end: draw.one(ends) },
        ]),
      };
    case 'items':
    case 'lines':
    case 'fields':
    case 'csv':
      return many(node, shape, draw);
    default:
      return somePart(shape, draw, 1);
  }
}

function many(node, shape, draw) {
  const count = Math.max(1, Math.floor(node.count * draw.one([0.1, 0.5, 0.9, 1.1, 2, 10])));
  const choices = [
    () => ({ ...node, count }),
    () => ({ ...node, count: draw.one([1, 10, 100, 1_000, 10_000]) }),
  ];
  if (node.kind === 'fields') {
    choices.push(
      () => ({ ...node, name: draw.one(units) }),
      () => ({ ...node, nameTimes: draw.one([1, 10, 60, 200, 2_000]) }),
    );
  }
  if (node.kind === 'csv') {
    choices.push(
      () => ({ ...node, quoted: draw.below(2) === 0 }),
      () => ({ ...node, separator: draw.one([',', ';']) }),
      () => ({ ...node, cells: { ...node.cells, [draw.one(node.columns)]: someText(draw) } }),
      () => ({
        ...node,
        columns: draw.one([
          node.columns.slice(0, 1 + draw.below(node.columns.length)),
          [...node.columns, draw.one(node.columns)],
        ]),
      }),
    );
  } else {
    choices.push(
      () => ({ ...node, of: somePart(shape, draw, 1) }),
      () => ({ ...node, odd: somePart(shape, draw, 1), at: draw.one([0, 0.5, 1]) }),
    );
  }
  return draw.one(choices)();
}

/** Another field of an object, one text in all of them, or a field less. */
function edit(node, { fields, ...shape }, draw) {
  const prefix = (node.at ?? '').replaceAll(/\.0\b/g, '.*');
  const inside = fields
    .filter(({ path }) => prefix === '' || path.startsWith(`${prefix}.`))
    .map((field) => ({ ...field, path: field.path.slice(prefix === '' ? 0 : prefix.length + 1) }));
  const { edits } = node;
  const same = Object.values(edits)[0];
  const choices = [
    () => ({ [draw.one(Object.keys(edits)) ?? 'unknown']: draw.one(Object.values(edits)) ?? someText(draw) }),
    () => ({
      ...edits,
      [draw.one(['unknown', '__proto__', 'credit_card'])]: somePart({ ...shape, fields }, draw, 1),
    }),
  ];
  if (inside.length > 0) {
    const field = draw.one(inside);
    const fitting = someText(draw, field.most ?? draw.one(lengths));
    const all = same?.kind === 'text' && draw.below(2) === 0 ? same : fitting;
    choices.push(
      () => ({ ...edits, [field.path]: fitting }),
      () => ({ ...edits, [field.path]: partFor(field, { ...shape, fields }, draw) }),
      () => ({ [field.path]: same ?? fitting }),
      () => Object.fromEntries(leavesOf(inside).map(({ path }) => [path, all])),
    );
  }
  return { ...node, edits: draw.one(choices)() };
}

function partFor(field, shape, draw) {
  const value = somePart(shape, draw, 1);
  if (field.type === 'array')
    return {
      kind: 'items',
      count: draw.one([1, 100, 10_000]),
      of: draw.below(2) === 0 ? elementOf(shape, field.path) : value,
    };
  if (field.isOpen)
    return {
      kind: 'fields',
      count: draw.one([1, 20, 100, 1_000, 5_000]),
      name: draw.one(units),
      nameTimes: draw.one([1, 60]),
      of: value,
    };
  return value;
}

/** Any part, others within it but not without end. */
function somePart(shape, draw, depth) {
  const [open, close] = draw.one(nests);
  const choices = [
    () => someText(draw),
    () => someText(draw),
    () => someText(draw),
    () => ({ kind: 'literal', value: draw.one(literals) }),
    () => ({ kind: 'nested', open, ...(draw.below(2) === 0 ? { close } : {}) }),
    () => ({ kind: 'raw', unit: draw.one(rawUnits) }),
  ];
  if (depth < 3) {
    const of = () => somePart(shape, draw, depth + 1);
    choices.push(
      () => ({ kind: 'items', count: draw.one([1, 10, 1_000, 100_000]), of: of() }),
      () => ({ kind: 'fields', count: draw.one([1, 10, 1_000, 100_000]), name: draw.one(units), of: of() }),
    );
  }
  return draw.one(choices)();
}
