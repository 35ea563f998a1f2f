import { pino, type DestinationStream } from 'pino';

/** What waits while the file can't be written; lines beyond it are dropped. */
const waitingBytes = 8 * 1_024 * 1_024;

/**
 * A file to which lines are appended at once. While it can't be written, as on a full disk, they wait in memory, nothing
 * else is held up by that, and standard error says so.
 */
export function lineFile(dest: string): DestinationStream {
  const file = pino.destination({ dest, mkdir: true, sync: true, maxLength: waitingBytes });
  let isFailing = false;
  file.on('error', (error: NodeJS.ErrnoException) => {
    if (isFailing) return;
    isFailing = true;
    process.stderr.write(
      `The file ${dest} can not be written (${error.code ?? error.name}): its lines wait in memory until it can. Make room.\n`,
    );
  });
  file.on('write', () => {
    isFailing = false;
  });
  return file;
}
