// The description of a request in words, for the table.

export function inWords({ body, type, size, chunk, encoding, sealed, params, query, headers, manyHeaders }) {
  const head = [
    ...Object.entries(params ?? {}).map(([name, text]) => `${name} ${ofText(text)}`),
    ...Object.entries(query ?? {}).map(([name, text]) => `?${name}= ${ofText(text)}`),
    ...Object.entries(headers ?? {}).map(([name, text]) => `${name}: ${ofText(text)}`),
    ...(manyHeaders > 0 ? [`${manyHeaders} headers`] : []),
  ];
  const form = {
    'text/csv': 'as CSV',
    'application/x-ndjson': 'as JSON Lines',
    'text/plain': 'as plain text',
  }[type];
  const how = [
    ...(form === undefined ? [] : [form]),
    ...(sealed ? ['encrypted'] : []),
    ...(encoding === undefined ? [] : [encoding]),
    ...(size === undefined || size === 1 || body === undefined
      ? []
      : [`${size * 100} % of the largest size`]),
    ...(chunk > 0 ? [`in chunks of ${chunk === 1 ? 'one byte' : `${chunk} bytes`}`] : []),
  ];
  const all = [...(body === undefined ? [] : [ofPart(body)]), ...head];
  return [all.join('; ') || 'itself', ...how].join(', ').replaceAll('|', '\\|');
}

function ofPart(node) {
  switch (node.kind) {
    case 'text':
      return ofText(node);
    case 'counted':
      return 'texts that differ';
    case 'literal':
      return JSON.stringify(node.value);
    case 'raw':
      return `${shown((node.start ?? '') + node.unit)}… as it is`;
    case 'nested':
      return `${shown(node.open)} as deep as it goes${node.close === undefined ? ', never closed' : ''}`;
    case 'items':
      return `an array of ${ofMany(node)}`;
    case 'lines':
      return `${number(node.count)} lines of ${ofMany(node)}`;
    case 'fields':
      return `${number(node.count)} fields${node.nameTimes > 1 ? ' with long names' : ''}, each ${ofPart(node.of)}`;
    case 'csv':
      return `${number(node.count)} rows${ofEdits(changedCells(node), ' with ')}${node.quoted ? ', quoted' : ''}`;
    default:
      return `the example${ofEdits(node.edits, ' with ')}`;
  }
}

function changedCells({ cells }) {
  return Object.fromEntries(Object.entries(cells).filter(([, { kind }]) => kind !== 'literal'));
}

function ofMany({ count, of, odd }) {
  return `up to ${number(count)}: ${ofPart(of)}${odd === undefined ? '' : `, one of them ${ofPart(odd)}`}`;
}

function ofEdits(edits, before) {
  const entries = Object.entries(edits).filter(([, { kind }]) => kind !== 'counted');
  if (entries.length === 0) return '';
  const [[, first]] = entries;
  const same =
    entries.length > 3 && entries.every(([, node]) => JSON.stringify(node) === JSON.stringify(first));
  if (same) return `${before}${ofPart(first)} in ${entries.length} fields`;
  const some = entries.slice(0, 3).map(([name, node]) => `\`${name}\` ${ofPart(node)}`);
  return before + [...some, ...(entries.length > 3 ? [`${entries.length - 3} more`] : [])].join(' and ');
}

function ofText({ kind, unit, start = '', end = '', most, escaped }) {
  if (kind === 'genuine') return 'as the gateway made it';
  const parts = [
    ...(start === '' ? [] : [shown(start)]),
    `${shown(unit)}…`,
    ...(end === '' ? [] : [shown(end)]),
  ];
  const length = most === undefined ? '' : ` (${number(most)} characters)`;
  return `${parts.join(' + ')}${length}${escaped ? ' in escapes' : ''}`;
}

/** With what cannot be seen in escapes. */
function shown(text) {
  const plain = [...JSON.stringify(text)].map((each) => (isPlain(each) ? each : escaped(each))).join('');
  return `\`${plain.replaceAll('`', "'")}\``;
}

function isPlain(character) {
  return /^[\x20-\x7e\p{L}\p{N}\p{So}]$/u.test(character);
}

function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function number(value) {
  return Math.floor(value).toLocaleString('en');
}
