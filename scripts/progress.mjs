import { spawn } from 'node:child_process';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';

const QUIET_MS = 400;
const LINE_EVERY_MS = 10_000;
const FRAME_MS = 120;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const OUTPUT_KEPT = 20_000;

/**
 * Runs a step and shows that it is going on: a spinner with the time elapsed on a terminal, elsewhere a line each
 * ten seconds. A step that is over at once shows nothing.
 *
 * @template T
 * @param {string} title
 * @param {(report: (message: string) => void) => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function withProgress(title, step) {
  const startedAt = Date.now();
  const onTerminal = process.stdout.isTTY === true;
  let message = '';
  let shown = false;
  let frame = 0;
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const show = () => {
    const text = [`${title} (${seconds()})`, message].filter((part) => part !== '').join(': ');
    if (!onTerminal) process.stdout.write(`${shown ? text : `${title} …`}\n`);
    else {
      const line = `${FRAMES[frame++ % FRAMES.length]} ${text}`.slice(0, (process.stdout.columns || 80) - 1);
      process.stdout.write(`\r\u001b[2K${line}`);
    }
    shown = true;
  };
  let interval;
  const quiet = setTimeout(() => {
    show();
    interval = setInterval(show, onTerminal ? FRAME_MS : LINE_EVERY_MS);
  }, QUIET_MS);
  const finish = (outcome) => {
    clearTimeout(quiet);
    clearInterval(interval);
    if (shown)
      process.stdout.write(`${onTerminal ? '\r\u001b[2K' : ''}${title}: ${outcome} after ${seconds()}\n`);
  };
  try {
    const result = await step((latest) => {
      message = latest;
    });
    finish('done');
    return result;
  } catch (error) {
    finish('failed');
    throw error;
  }
}

/**
 * Runs a program as such a step; what it printed is shown only when it fails.
 *
 * @param {string} title
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {Readonly<Record<string, string | undefined>>} [env] this process's own when left out
 */
export function runStep(title, command, args, cwd, env = process.env) {
  return withProgress(
    title,
    (report) =>
      new Promise((resolve, reject) => {
        const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
        let output = '';
        const take = (chunk) => {
          output = (output + String(chunk)).slice(-OUTPUT_KEPT);
          const lines = String(chunk).trim().split('\n');
          report(lines[lines.length - 1] ?? '');
        };
        child.stdout.on('data', take);
        child.stderr.on('data', take);
        child.on('error', reject);
        child.on('close', (code) => {
          if (code === 0) resolve(undefined);
          else
            reject(
              new Error(`${title} failed: \`${command} ${args.join(' ')}\` ended with ${code}.\n${output}`),
            );
        });
      }),
  );
}
