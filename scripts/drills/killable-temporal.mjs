import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedTemporal } from '../../dist/src/dev/embedded-temporal/server.js';
import { freePort } from '../../dist/src/dev/free-port.js';

// With its write-ahead log; the index beside them is made anew.
const files = ['temporal.db', 'temporal.db-wal'];
// Below the ports that a kernel gives out: nobody takes it while the server is down.
const firstPort = 20_000;

/** A Temporal with its database in a file, always at the same address: it can be killed, copied and put back. */
export async function startKillableTemporal(dataDir) {
  const port = await freePort(firstPort + Math.floor(Math.random() * 10_000));
  const start = () => startEmbeddedTemporal({ storage: { dataDir }, port, env: process.env });
  let server = await start();
  return {
    address: server.address,
    namespace: server.namespace,
    kill: async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.failed;
    },
    start: async () => {
      server = await start();
    },
    /** The server stands still meanwhile, so that the files are of one moment: a copy is what a crash leaves. */
    copy: async (dir) => {
      process.kill(server.pid, 'SIGSTOP');
      await sleep(50);
      for (const file of files) await copyFile(join(dataDir, file), join(dir, file));
      process.kill(server.pid, 'SIGCONT');
    },
    putBack: async (dir) => {
      await rm(join(dataDir, 'temporal.db-shm'), { force: true });
      for (const file of files) await copyFile(join(dir, file), join(dataDir, file));
    },
    stop: () => server.stop(),
  };
}
