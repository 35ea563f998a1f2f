import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));

/** The built program in a terminal of 80 columns. */
type Terminal = {
  /** Resolves when this was drawn; rejects with all that was when the program ends before. */
  draws(text: RegExp): Promise<void>;
  /** What the keyboard sends; `\u0003` is Ctrl-C. */
  type(keys: string): void;
  /** The exit code, and the lines as they were drawn, one over the other included. */
  readonly ended: Promise<{ code: number | null; lines: readonly string[] }>;
};

/** By `script` of util-linux, which gives a program a terminal of its own. */
export function inTerminal(args: readonly string[], env: Readonly<Record<string, string>>): Terminal {
  const words = [process.execPath, main, ...args].map(
    (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  const child = spawn('script', ['-qefc', `stty cols 80 rows 24; exec ${words.join(' ')}`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8');
  let drawn = '';
  const ended = new Promise<{ code: number | null; lines: readonly string[] }>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, lines: linesOf(drawn) });
    });
  });
  child.stdout.on('data', (chunk: string) => (drawn += chunk));
  return {
    ended,
    type: (keys) => child.stdin.write(keys),
    draws: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (text.test(drawn)) resolve();
        };
        child.stdout.on('data', look);
        void ended.then(() => {
          reject(new Error(`It ended without drawing ${String(text)}:\n${drawn}`));
        });
        look();
      }),
  };
}

/** Without what moves the cursor and clears a line. */
function linesOf(drawn: string): string[] {
  // eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
  return drawn.replaceAll(/\u001b\[[?\d;]*[A-Za-z]/g, '\n').split(/[\r\n]+/);
}
