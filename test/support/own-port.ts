import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { isFreePort } from '../../src/dev/free-port.js';

/** Below those that the system gives to whoever asks for any. */
const firstPort = 20_000;

/** A port that nobody listens on, and that nobody else is given before the test's program listens on it. */
export async function ownPort(): Promise<number> {
  for (let port = firstPort; ; port += 1)
    if ((await takes(port)) && (await isFreePort(port, '127.0.0.1'))) return port;
}

/** Whether a port becomes this worker’s: of two that make its directory, one does. */
function takes(port: number): Promise<boolean> {
  return mkdir(join(inject('sharedPath'), String(port))).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
}
