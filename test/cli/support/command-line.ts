import { format } from 'node:util';
import { vi } from 'vitest';
import { exitCodeOf, runCommandLine } from '../../../src/cli/command-line.js';

export type Ran = { readonly code: number; readonly output: string };

let before: Promise<unknown> = Promise.resolve();

/**
 * Runs `durable-payments` with these arguments in this process, without the second that a process takes to load it; one
 * after the other.
 */
export function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const running = before.then(() => runNow(args, env));
  before = running.catch(() => undefined);
  return running;
}

async function runNow(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  let output = '';
  const print = (...words: unknown[]) => {
    output += `${format(...words)}\n`;
  };
  const write = (text: unknown) => {
    output += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(print),
    vi.spyOn(console, 'error').mockImplementation(print),
    vi.spyOn(process.stdout, 'write').mockImplementation(write),
    vi.spyOn(process.stderr, 'write').mockImplementation(write),
  ];
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  process.exitCode = undefined;
  try {
    const code = await runCommandLine(args).then(() => Number(process.exitCode ?? 0), exitCodeOf);
    return { code, output };
  } finally {
    process.exitCode = undefined;
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}
