import type { Running } from '../../processes/running.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const interrupted = 130;

/**
 * Lets a process run until it is stopped, or fails. A second signal ends it at once.
 *
 * @throws what went wrong, after everything was stopped.
 */
export async function untilStopped(
  running: Running,
  onStopping: () => void = () => undefined,
): Promise<void> {
  const signalled = new Promise<null>((resolve) => {
    let first = true;
    for (const signal of signals) {
      process.on(signal, () => {
        if (!first) process.exit(interrupted);
        first = false;
        resolve(null);
      });
    }
  });
  const failure = await Promise.race([signalled, running.failed]);
  onStopping();
  await running.stop();
  if (failure !== null) throw failure;
}
