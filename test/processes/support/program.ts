import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));

/** On Linux a program dies with the process of the test that started it, whatever ends that. */
const SETPRIV = '/usr/bin/setpriv';
const DIES_WITH_ITS_TEST = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL'] : [];

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** The built program in a process of its own. */
export type Program = {
  readonly pid: number;
  /** All that it has printed so far. */
  readonly output: () => string;
  readonly exited: Promise<Exit>;
  /** Resolves when it has printed this; rejects with all it printed when it ends before. */
  prints(text: string): Promise<void>;
  /** Resolves when it has ended by the signal. */
  end(signal: NodeJS.Signals): Promise<Exit>;
};

/**
 * Runs `durable-payments` with these arguments, and nothing of this machine's own settings for it.
 *
 * @param main the program's file; by default the one of this checkout
 * @param stdout what its standard output goes to; by default `output` has it
 */
export function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  main = MAIN,
  stdout: number | 'pipe' = 'pipe',
): Program {
  if (!existsSync(main)) throw new Error('Nothing is built: run `npm run build` before these tests.');
  const [command = '', ...words] = [...DIES_WITH_ITS_TEST, process.execPath, main, ...args];
  const child = spawn(command, words, {
    env: { ...ownEnvironment(), ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  return programOf(child);
}

/** Runs it to its end. */
export async function runToEnd(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Exit & { output: string }> {
  const program = runProgram(args, env);
  const exit = await program.exited;
  return { ...exit, output: program.output() };
}

function programOf(child: ChildProcess): Program {
  let output = '';
  const listeners = new Set<() => void>();
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  let ended = false;
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      ended = true;
      resolve({ code, signal });
      for (const listener of listeners) listener();
    });
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    exited,
    prints: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (output.includes(text)) resolve();
          else if (ended) reject(new Error(`It ended without saying "${text}":\n${output}`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      }),
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

function ownEnvironment(): Record<string, string | undefined> {
  const foreign =
    /^(TEMPORAL_|OTEL_|PAYMENTS_|GATEWAY_|PUBLIC_URL|POSTBACK_|NOTIFY_|PAYLOAD_|API_KEYS|DATA_DIR|LOG_LEVEL|POLL_SCALE)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
