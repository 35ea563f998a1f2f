import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Our documents, by their paths from the root. */
export function documents(): string[] {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  return [...readdirSync(root).filter((name) => name.endsWith('.md')), ...inDocs].sort();
}

export function textOf(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

/** The contents of the code blocks in these languages, with the document and line where each begins. */
export function codeBlocks(document: string, ...languages: string[]): { at: string; code: string }[] {
  const text = textOf(document);
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(
    ({ 1: language = '', 2: code = '', index }) =>
      languages.includes(language)
        ? [{ at: `${document}:${String(text.slice(0, index).split('\n').length)}`, code }]
        : [],
  );
}

/** The text without its code blocks. */
export function prose(document: string): string {
  return textOf(document).replaceAll(/^```.*?^```$/gms, '');
}

/** The headings of every level, in their order. */
export function headings(document: string): string[] {
  return [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
}

/** The anchors of the headings, as GitHub makes them. */
export function anchors(document: string): string[] {
  return headings(document).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The section under a heading, up to the next one of its level or above. */
export function section(text: string, heading: string): string {
  const [, level = '', rest = ''] = new RegExp(`^(#+) ${heading}$(.*)`, 'ms').exec(text) ?? [];
  return rest.split(new RegExp(`^#{1,${String(level.length)}} `, 'm'))[0] ?? '';
}

/** The cells of each table that begins with this heading cell; the heading rows are left out. */
export function tableRows(text: string, firstHeading: string): string[][] {
  const tables = text
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  const rows = tables
    .filter(([heading]) => heading?.startsWith(`| ${firstHeading} |`))
    .flatMap(([, , ...lines]) => lines);
  if (rows.length === 0) throw new Error(`There is no table that begins with "${firstHeading}".`);
  return rows.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
