import { processEnvironment } from '../../config.js';
import { printableLine } from '../../domain/plain-text.js';

const gap = '  ';
const narrowest = 6;

/** How wide the terminal is; 80 columns where there is none or it does not know, and COLUMNS is not set. */
function terminalWidth(): number {
  return process.stdout.columns || Number(processEnvironment().COLUMNS) || 80;
}

/** A table for people that fits the terminal: the widest columns are wrapped until it does. */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width = terminalWidth(),
): string {
  const cells = [head, ...rows.map((row) => row.map(printableLine))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const total = () => widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1));
  while (total() > width) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
  return cells.flatMap((row) => linesOf(row, widths)).join('\n');
}

/** Lines of a name and a text, for people: the texts are wrapped to the terminal beside the names, no word is cut. */
export function beside(
  rows: readonly (readonly [name: string, text: string])[],
  nameWidth = Math.max(...rows.map(([name]) => name.length)) + gap.length,
  width = terminalWidth(),
): string {
  return rows
    .flatMap(([name, text]) =>
      wrapWords(printableLine(text), width - nameWidth).map(
        (line, index) => (index === 0 ? name : '').padEnd(nameWidth) + line,
      ),
    )
    .join('\n');
}

/** A text for people, wrapped to the terminal; what has to be copied, such as an address, is never cut. */
export function paragraph(text: string, width = terminalWidth()): string {
  return wrapWords(printableLine(text), width).join('\n');
}

/** A command to copy, indented: on one line where that fits the terminal, else a line for each option. */
export function commandLines(words: readonly string[], width = terminalWidth()): string {
  const printed = words.map(printableLine);
  const line = `${gap}${printed.join(' ')}`;
  return line.length <= width ? line : gap + printed.join(` \\\n${gap}${gap}`);
}

function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

function linesOf(row: readonly string[], widths: readonly number[]): string[] {
  const wrapped = widths.map((width, column) => wrap(row[column] ?? '', width));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, column) => (lines[line] ?? '').padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** Between words where there are some. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const end = blank > 0 ? blank : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
