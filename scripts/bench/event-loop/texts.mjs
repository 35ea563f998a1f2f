// What texts are made of: a unit that is repeated, perhaps a beginning and an end that differ. Each unit is here for
// what it does to a reader of texts: digits and separators of card numbers, blanks, escapes, marks that are composed,
// characters that normalization lengthens, halves of characters, brackets, separators of CSV.
export const units = [
  ...['a', 'A', '1', '0', '9', '4111111111111111', '4-', '1 ', '4111 ', '４', '٤', '①', '1\u200b'],
  ...[' ', '\t', '\n', '\r\n', 'a\n', '\u00a0', '\u200b', '\u202e', '\u0000'],
  ...['%', '%31', '%25', '%2531', '\\', '\\u0031', '"', '<', '<a', '&amp;'],
  ...['é', 'e\u0301', '\u0301\u0323', 'ﷺ', 'ŉ', '😀', '\ud800', '中'],
  ...['.', 'a.', '-', '_', '/', '/a', ':', '@', 'a@', 'a@a.', '=', '+', ',', 'a,', ';', '-r1', 'AAAA'],
  ...['{"a":', '[', '{}', 'http://a/'],
];

export const beginnings = [
  '',
  '',
  'x',
  ' ',
  '4',
  'a@',
  'http://',
  'Bearer ',
  'wait=',
  '2026-05-01T00:00:00.',
  '"',
];
export const ends = ['', '', 'x', '!', '1', '@', ' ', '\n', '\u200b', '%', '"'];

/** What opens and closes in JSON. */
export const nests = [
  ['[', ']'],
  ['{"a":', '}'],
  ['[{"a":', '}]'],
  ['[1,', ']'],
];

/** Pieces of JSON and of other bodies that are repeated as they are, whether what comes of it is JSON or not. */
export const rawUnits = [
  '1',
  '9',
  '1,',
  '{},',
  '[],',
  '"",',
  '"a":1,',
  '"a":"",',
  ' ',
  '\n',
  '1\n',
  'x',
  'a,',
  '\\u',
  '1e',
  '{"a":[',
  '"',
  '""',
  'a\n',
  ';\n',
  '<',
  '<p>',
  '<script>',
  '&aacute;',
  'not exist',
  'code ',
];

/** Values that some reader may take long over. */
export const literals = [
  null,
  true,
  1,
  -0,
  1e308,
  1e-308,
  0.1,
  4111111111111111,
  {},
  [],
  '',
  { __proto__: 1 },
];
