import { isFreePort } from '../../src/dev/free-port.js';

/** Below those that the system gives to whoever asks for any. */
const firstPort = 20_000;
const portsOfAWorker = 1_000;

let next = firstPort + Number(process.env.VITEST_POOL_ID ?? 0) * portsOfAWorker;

/** A port that nobody listens on, and that nobody else is given before the test's program listens on it. */
export async function ownPort(): Promise<number> {
  for (;;) {
    const port = next;
    next += 1;
    if (await isFreePort(port, '127.0.0.1')) return port;
  }
}
