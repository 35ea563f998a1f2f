// From the compact description of a request to its bytes. Every part has a budget of bytes, which its own parts share:
// so whatever the search combines stays within the limits of the route.
//
// A description is JSON: { type, size, chunk, sealed, body, params, query, headers, manyHeaders }, all but `body`
// optional. A body, and what stands in it, is one of
//   { kind: 'text', unit, start, end, most, escaped }   a text of a repeated unit, `most` characters at most
//   { kind: 'counted', unit }                            a text that differs in each row
//   { kind: 'genuine' }                                  in a path: a capability that the gateway takes
//   { kind: 'literal', value }
//   { kind: 'raw', unit, start, end }                    repeated as it is, JSON or not
//   { kind: 'nested', open, close }                      as deep as there is room for, `most` at most; left open without `close`
//   { kind: 'items', count, of, odd, at }                an array, of which `odd` stands at one place: 0 to 1
//   { kind: 'fields', count, name, nameTimes, of }       an object of many fields
//   { kind: 'object', at, edits }                        that part of the example, with other fields: path → part
//   { kind: 'lines', count, of }                         JSON Lines
//   { kind: 'csv', columns, separator, count, cells, quoted }
import { Buffer } from 'node:buffer';

/** Of the headers, for what every request has. */
const ownBytes = 700;
/** One of many, with its end. */
const headerBytesEach = 12;

/** The path, headers and content of a request. */
export function rendered(request, shape) {
  const texts = [request.params, request.query, request.headers].flatMap((each) => Object.values(each ?? {}));
  const many = Math.min(request.manyHeaders ?? 0, Math.floor(shape.headerBytes / 2 / headerBytesEach));
  const room = shape.headerBytes - ownBytes - shape.route.length - many * headerBytesEach;
  const bytes = Math.floor(room / Math.max(1, texts.length));
  const inUrl = (text) => urlText(plainText(text, bytes, shape)).slice(0, bytes);
  const path = shape.route
    .split(' ')[1]
    .replaceAll(/:(\w+)/g, (_all, name) =>
      inUrl(request.params?.[name] ?? { kind: 'text', unit: 'a', most: 1 }),
    );
  const query = Object.entries(request.query ?? {}).map(([name, text]) => `${name}=${inUrl(text)}`);
  const headers = Object.entries(request.headers ?? {}).map(([name, text]) => [
    name,
    plainText(text, bytes, shape).replaceAll(/[^\t\x20-\x7e]/g, '?'),
  ]);
  const more = Array.from({ length: many }, (_, i) => [`x-${i}`, '1']);
  return {
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: Object.fromEntries([...headers, ...more]),
    type: request.type ?? shape.types[0],
    content: contentOf(request, shape),
    chunk: request.chunk ?? 0,
  };
}

function contentOf({ body, size = 1 }, { bodyBytes, example }) {
  if (body === undefined) return Buffer.alloc(0);
  const bytes = Math.max(64, Math.floor(bodyBytes * size) - 64);
  return Buffer.from(part(body, bytes, example)).subarray(0, bodyBytes);
}

/** A part as JSON, of so many bytes at most unless the example alone has more. */
function part(node, bytes, example, row = 0) {
  switch (node.kind) {
    case 'text':
      return `"${repeated(node, bytes - 2, node.escaped ? escapedText : jsonText)}"`;
    case 'counted':
      return JSON.stringify(`${node.unit}${row}`);
    case 'literal':
      return JSON.stringify(node.value);
    case 'raw':
      return repeated(node, bytes, (text) => text);
    case 'nested': {
      const length = Buffer.byteLength(node.open) + (node.close ?? '').length;
      const depth = Math.max(1, Math.min(node.most ?? Infinity, Math.floor(bytes / length)));
      return node.open.repeat(depth) + (node.close === undefined ? '' : `1${node.close.repeat(depth)}`);
    }
    case 'items':
      return `[${rows(node, bytes, (of, each, i) => part(of, each, example, i)).join(',')}]`;
    case 'lines':
      return rows(node, bytes, (of, each, i) => part(of, each, example, i)).join('\n');
    case 'fields': {
      const name = (i) => jsonText(node.name).repeat(node.nameTimes ?? 1) + i;
      return `{${rows(node, bytes, (of, each, i) => `"${name(i)}":${part(of, each, example, i)}`).join(',')}}`;
    }
    case 'object':
      return editedObject(node, bytes, example, row);
    case 'csv':
      return csv(node, bytes);
    default:
      throw new Error(`There is no kind ${node.kind}.`);
  }
}

/** As many of `count` as there is room for; one of them may be odd. */
function rows({ count, of, odd, at = 1 }, bytes, one) {
  const each = Math.max(2, Math.floor(bytes / count) - 1);
  const first = one(of, each, 0);
  const fitting = Math.max(1, Math.min(count, Math.floor(bytes / (Buffer.byteLength(first) + 1))));
  const list =
    one(of, each, 1) === first
      ? Array(fitting).fill(first)
      : Array.from({ length: fitting }, (_, i) => one(of, each, i));
  if (odd !== undefined) {
    const room = Math.max(each, bytes - list.length * (Buffer.byteLength(first) + 1));
    list[Math.min(fitting - 1, Math.floor(at * fitting))] = one(odd, Math.min(room, 65_000), fitting);
  }
  return list;
}

function editedObject({ at = '', edits }, bytes, example, row) {
  const base = structuredClone(valueAt(example, at) ?? {});
  const names = Object.keys(edits);
  names.forEach((path, i) => setAt(base, path.split('.'), `@@${i}@@`));
  const text = JSON.stringify(base);
  const places = text.match(/"@@\d+@@"/g)?.length ?? 1;
  const each = Math.max(2, Math.floor((bytes - text.length) / places));
  return text.replaceAll(/"@@(\d+)@@"/g, (_all, i) => part(edits[names[i]], each, example, row));
}

/** What stands at a path such as `payouts.0`. */
export function valueAt(value, path) {
  return path === ''
    ? value
    : path.split('.').reduce((inner, name) => inner?.[name === '*' ? 0 : name], value);
}

function setAt(object, [name, ...rest], value) {
  const names = name === '*' ? (Array.isArray(object) ? Object.keys(object) : []) : [name];
  for (const each of names) {
    if (rest.length === 0) object[each] = value;
    else {
      if (typeof object[each] !== 'object' || object[each] === null)
        object[each] = rest[0] === '*' ? [{}] : {};
      setAt(object[each], rest, value);
    }
  }
}

function csv({ columns, separator, count, cells, quoted }, bytes) {
  const cell = (name, room, row) => {
    const node = cells[name] ?? { kind: 'text', unit: 'a', most: 1 };
    const text = cellText(node, Math.max(8, room), row);
    return quoted ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const wide = columns.filter((name) => cells[name]?.kind === 'text').length || 1;
  const line = (_of, room, row) =>
    columns.map((name) => cell(name, Math.floor(room / wide) - 8, row)).join(separator);
  return [columns.join(separator), ...rows({ count, of: null }, bytes, line)].join('\n');
}

/** Without the quotes of JSON, where it is a text or a number. */
function cellText(node, room, row) {
  switch (node.kind) {
    case 'counted':
      return `${node.unit}${row}`;
    case 'literal':
      return String(node.value);
    case 'text':
      return plainText(node, room);
    default:
      return part(node, room, {}, row);
  }
}

function plainText(node, bytes, shape) {
  if (node.kind === 'genuine') return shape.genuine();
  return repeated(node, bytes, (text) => text);
}

function repeated({ unit, start = '', end = '', most = Infinity }, bytes, write) {
  const written = write(unit);
  const room = Math.min(bytes - Buffer.byteLength(start + end), bytes);
  const times = Math.floor(
    Math.min(room / Buffer.byteLength(written), (most - start.length - end.length) / unit.length),
  );
  return write(start) + written.repeat(Math.max(0, times)) + write(end);
}

function jsonText(text) {
  return JSON.stringify(text).slice(1, -1);
}

function escapedText(text) {
  return [...Array(text.length).keys()]
    .map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('');
}

/** What an address may hold stays as it is, `%` too. */
function urlText(text) {
  return text
    .toWellFormed()
    .replaceAll(/[^\w.~%!$&'()*+,;=:@-]/gu, (character) => encodeURIComponent(character));
}
