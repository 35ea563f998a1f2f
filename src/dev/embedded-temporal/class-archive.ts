import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentOfTool } from './environment-of.js';
import { freePort, isFreePort } from '../free-port.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Beside the program of the server that skips time: its classes as Java has loaded them. */
export const classArchive = 'classes.jsa';

const startMs = 60_000;
const stopMs = 30_000;

/**
 * Starts the server at `program` once, and stops it, so that Java writes its {@link classArchive}. With it each start
 * takes a third of the time: the SDK gives it five seconds. Java before 13 writes none, and is only slower.
 */
export async function archiveClasses(program: string, env: Env): Promise<void> {
  const port = await freePort(0);
  const option = `-XX:ArchiveClassesAtExit=${join(dirname(program), classArchive)}`;
  const child = spawn(program, [String(port)], {
    env: { ...environmentOfTool(env), JAVA_TOOL_OPTIONS: option },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit').catch(() => undefined);
  let isOver = false;
  void ended.then(() => (isOver = true));
  const tooLate = Date.now() + startMs;
  while (!isOver && Date.now() < tooLate && (await isFreePort(port, '127.0.0.1'))) await sleep(100);
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(stopMs, undefined, { ref: false })]);
  if (!isOver) child.kill('SIGKILL');
}
