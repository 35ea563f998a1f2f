import { Readable } from 'node:stream';
import { format } from 'node:util';
import { vi } from 'vitest';
import { exitCodeOf, runCommandLine } from '../../../src/cli/command-line.js';

export type Ran = {
  readonly code: number;
  /** All that was printed. */
  readonly output: string;
  /** What was printed for the next program, without what is for people beside it. */
  readonly stdout: string;
};

let before: Promise<unknown> = Promise.resolve();

/**
 * Runs `durable-payments` with these arguments in this process, without the second that a process takes to load it; one
 * after the other. `input` is what it finds on standard input.
 */
export function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | Uint8Array = '',
): Promise<Ran> {
  const running = before.then(() => runNow(args, env, input));
  before = running.catch(() => undefined);
  return running;
}

async function runNow(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | Uint8Array,
): Promise<Ran> {
  let output = '';
  let stdout = '';
  const take = (text: string, isStdout: boolean) => {
    output += text;
    if (isStdout) stdout += text;
    return true;
  };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((...words) => take(`${format(...words)}\n`, true)),
    vi.spyOn(console, 'error').mockImplementation((...words) => take(`${format(...words)}\n`, false)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => take(String(text), true)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => take(String(text), false)),
  ];
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  process.exitCode = undefined;
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
  try {
    const code = await runCommandLine(args).then(() => Number(process.exitCode ?? 0), exitCodeOf);
    return { code, output, stdout };
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
    process.exitCode = undefined;
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}
