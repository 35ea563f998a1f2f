import { foldedName } from './json-text.js';

/** Commas or semicolons part the cells, as the first line has them: spreadsheets write either. */
export function delimiterOf(text: string): ',' | ';' {
  return text.trimStart().split('\n', 1)[0]?.includes(';') === true ? ';' : ',';
}

/**
 * The columns that the first line of a CSV names, and what is wrong with them: one that is not known would be passed
 * over, and of two by one name only the latter would count.
 */
export function csvColumns(
  names: readonly string[],
  known: ReadonlySet<string>,
): { columns: string[]; problem: string | null } {
  const columns = names.map(foldedName);
  const twice = columns.find((name, at) => known.has(name) && columns.indexOf(name) !== at);
  if (twice !== undefined) {
    return { columns, problem: `two columns are named ${twice}: it is not clear which of them counts` };
  }
  const at = columns.findIndex((name) => !known.has(name));
  if (at === -1) return { columns, problem: null };
  // Without a line of names the first payee would stand there.
  const ofNames = 2 * columns.filter((each) => known.has(each)).length >= columns.length;
  const isNamed = ofNames && /^[\w -]{1,32}$/.test(columns[at] ?? '');
  const name = isNamed ? ` (${columns[at] ?? ''})` : '';
  const problem = `column ${String(at + 1)}${name} is not known: the first line must name the columns, of these alone: ${[...known].join(', ')}`;
  return { columns, problem };
}
