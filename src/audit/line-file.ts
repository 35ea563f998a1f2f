import { pino, type DestinationStream } from 'pino';

/** What waits while the file can't be written; lines beyond it are dropped. */
const waitingBytes = 8 * 1_024 * 1_024;

/**
 * A file to which lines are appended at once. While it can't be written, as on a full disk, they wait in memory, nothing
 * else is held up by that, and standard error says so.
 */
export function lineFile(dest: string): DestinationStream {
  const file = pino.destination({ dest, mkdir: true, sync: true, maxLength: waitingBytes });
  const reported = new Set<string>();
  const reportOnce = (what: string) => {
    if (!reported.has(what)) process.stderr.write(`The file ${dest} ${what}\n`);
    reported.add(what);
  };
  file.on('error', ({ code = 'no code' }: NodeJS.ErrnoException) => {
    reportOnce(`can not be written (${code}): its lines wait in memory until it can. Make room.`);
  });
  file.on('drop', () => {
    reportOnce('could not be written for too long: lines of it are lost.');
  });
  file.on('write', () => {
    reported.clear();
  });
  return file;
}
