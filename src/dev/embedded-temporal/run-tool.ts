import { spawn } from 'node:child_process';
import { environmentOfTool } from './environment-of.js';

export type ToolOptions = {
  /** The tool gets what of it is known to be needed. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gets each line the tool prints. */
  readonly onLine?: (line: string) => void;
  /** Called each second; what it returns is why the tool is ended. */
  readonly giveUp?: (elapsedMs: number) => string | null;
};

/**
 * Runs a program to its end and returns what it printed.
 *
 * @throws Error with the tool's last output when it can't be run, fails, or is given up.
 */
export function runTool(command: string, args: readonly string[], options: ToolOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: environmentOfTool(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const startedAt = Date.now();
    let output = '';
    let givenUp: string | null = null;
    const watch = setInterval(() => {
      givenUp ??= options.giveUp?.(Date.now() - startedAt) ?? null;
      if (givenUp !== null) child.kill('SIGKILL');
    }, 1000);
    const take = (chunk: Buffer): void => {
      const text = chunk.toString();
      output += text;
      for (const line of text.split('\n')) if (line.trim() !== '') options.onLine?.(line.trim());
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => {
      clearInterval(watch);
      reject(error);
    });
    child.on('close', (code) => {
      clearInterval(watch);
      if (code === 0) resolve(output);
      else reject(new Error(givenUp ?? lastOutput(output, code)));
    });
  });
}

function lastOutput(output: string, code: number | null): string {
  const tail = output.trim().split('\n').slice(-3).join(' ').slice(-400);
  return tail === '' ? `it ended with code ${String(code)}` : tail;
}
