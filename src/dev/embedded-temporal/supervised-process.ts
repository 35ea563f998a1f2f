import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

const KEPT_CHARACTERS = 65_536;
const TOLD_CHARACTERS = 4_000;
const GRACE_SECONDS = 10;

// Its standard input is a pipe that only the parent holds. Its end, by stop() or by the parent's death of any kind,
// ends the program: gently, then for certain. A session of its own keeps Ctrl-C in a terminal from reaching the
// program before those who still need it have left.
const SUPERVISOR = `
exec 3<&0
"$@" </dev/null 3<&- >&2 &
program=$!
echo "$program"
{
  cat <&3 >/dev/null
  kill -TERM "$program" 2>/dev/null
  waited=0
  while kill -0 "$program" 2>/dev/null && [ "$waited" -lt ${String(GRACE_SECONDS * 10)} ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  kill -KILL "$program" 2>/dev/null
} >/dev/null 2>&1 &
watcher=$!
exec 3<&- >/dev/null 2>&1
wait "$program"
kill "$watcher"
`;

/** A program that can't outlive this process, not even when this process is killed with SIGKILL. */
export type SupervisedProcess = {
  readonly pid: number;
  /** Resolves with the program's last output when it has ended, for whatever reason. */
  readonly ended: Promise<string>;
  /** Ends the program by SIGTERM, after ten seconds by SIGKILL, and resolves when it has ended. */
  stop(): Promise<void>;
};

/** Starts `command` with `args`, nothing of this process's input and output; what it prints goes to `onOutput`. */
export async function startSupervised(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  onOutput: (text: string) => void = () => undefined,
): Promise<SupervisedProcess> {
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'supervisor', command, ...args], {
    env: { ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let tail = '';
  child.stderr.on('data', (chunk: Buffer) => {
    const text = chunk.toString();
    tail = (tail + text).slice(-KEPT_CHARACTERS);
    onOutput(text);
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(lastWords(tail))));
  return {
    pid: await pidFrom(child),
    ended,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/** The end of an output. A Go program that panics says why before its stack trace, which may be long. */
function lastWords(output: string): string {
  const [words = ''] = output.split(/^goroutine \d+ \[/m);
  return words.slice(-TOLD_CHARACTERS).trim();
}

function pidFrom(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout?.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
    child.once('close', () => reject(new Error('the program could not be started')));
  });
}
