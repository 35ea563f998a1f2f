import { spawnSync } from 'node:child_process';
import { Option } from 'commander';
import { processEnvironment } from '../../config.js';
import { environmentOfPager } from '../../dev/embedded-temporal/environment-of.js';
import { printable, printableJson } from '../../domain/plain-text.js';

export type JsonOption = { readonly json?: true };

/** `--json`: the whole answer for programs. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON for programs instead of tables for people');
}

/** Prints an answer: JSON for programs, or what `text` makes of it for people, in their pager when it is long. */
export function print<T>(answer: T, { json }: JsonOption, text: (answer: T) => string): void {
  if (json === true) console.log(printableJson(answer));
  else page(printable(text(answer)));
}

/** As {@link print}, never in a pager: for who has watched something and wants to be back at the prompt. */
export function printAtOnce<T>(answer: T, { json }: JsonOption, text: (answer: T) => string): void {
  console.log(json === true ? printableJson(answer) : printable(text(answer)));
}

/** What is longer than the terminal is shown by the user's pager. */
function page(text: string): void {
  const { isTTY, rows } = process.stdout;
  if (isTTY && text.split('\n').length > rows) {
    const env = processEnvironment();
    const shown = spawnSync(env.PAGER ?? 'less -FRX', {
      shell: true,
      input: text,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: environmentOfPager(env),
    });
    if (shown.status === 0) return;
  }
  console.log(text);
}
