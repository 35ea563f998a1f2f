import { textOf } from './markdown.js';

/** A shell block of a page: its commands as they stand there, and the heading that it is under. */
export type PageBlock = {
  readonly at: string;
  readonly section: string;
  readonly commands: readonly string[];
};

/** A line is over when no quote is open and it does not end in a backslash. */
const command = /(?:\\\n|'[^']*'|"(?:\\.|[^"\\])*"|[^\n'"\\]|\\.)+/g;

/** The shell blocks of a page, in their order. */
export function pageBlocks(page: string): PageBlock[] {
  const text = textOf(page);
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(({ 1: code = '', index }) => {
    const before = text.slice(0, index);
    return {
      at: `${page}:${String(before.split('\n').length)}`,
      section: [...before.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
      commands: code.match(command) ?? [],
    };
  });
}
