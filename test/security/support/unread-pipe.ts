import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A pipe that is full, and that nobody reads until the test does. */
type UnreadPipe = {
  /** What a program writes to. */
  readonly fd: number;
  /** Reads what is in it now, and answers all that was read so far without what had filled it. */
  read(): string;
  close(): void;
};

export function unreadPipe(): UnreadPipe {
  const dir = mkdtempSync(join(tmpdir(), 'durable-payments-pipe-'));
  const path = join(dir, 'pipe');
  const { status } = spawnSync('mkfifo', [path]);
  if (status !== 0) throw new Error('mkfifo failed.');
  const own = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY);
  const filling = Buffer.alloc(4_096, '\n');
  untilFull(() => writeSync(own, filling));
  untilFull(() => writeSync(own, filling, 0, 1));
  let text = '';
  return {
    fd,
    read: () => {
      const chunk = Buffer.alloc(65_536);
      untilFull(() => {
        const length = readSync(own, chunk);
        text += chunk.toString('latin1', 0, length);
      });
      return text.replace(/^\n+/, '');
    },
    close: () => {
      closeSync(fd);
      closeSync(own);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Repeats a call until the pipe has no room, or nothing more. */
function untilFull(call: () => void): void {
  for (;;) {
    try {
      call();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return;
      throw error;
    }
  }
}
