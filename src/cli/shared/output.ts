import { Option } from 'commander';
import { printable, printableJson } from '../../domain/plain-text.js';

export type JsonOption = { readonly json?: true };

/** `--json`: the whole answer for programs. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON for programs instead of tables for people');
}

/** Prints an answer: JSON for programs, or what `text` makes of it for people. */
export function print<T>(answer: T, { json }: JsonOption, text: (answer: T) => string): void {
  console.log(json === true ? printableJson(answer) : printable(text(answer)));
}
