import { setTimeout as sleep } from 'node:timers/promises';

/** Kills worker, gateway and Temporal with SIGKILL at moments of the seed, and starts each again. */
export function startKilling(fleet, processes, random) {
  const kills = { worker: 0, gateway: 0, temporal: 0 };
  let isStopped = false;
  const again = {
    worker: async () => {
      await processes.worker.kill9();
      processes.worker = await fleet.worker();
    },
    gateway: async () => {
      await processes.gateway.kill9();
      processes.gateway = await fleet.gateway();
    },
    temporal: async () => {
      await fleet.temporal.kill();
      await sleep(random.between(0, 1_000));
      await fleet.temporal.start();
      // A worker or gateway that was just starting has ended with it.
      if (processes.worker.exitCode !== null) processes.worker = await fleet.worker();
      if (processes.gateway.exitCode !== null) processes.gateway = await fleet.gateway();
    },
  };
  const kill = async () => {
    while (!isStopped) {
      await sleep(random.between(3_000, 15_000));
      const victim = random.pick(['worker', 'worker', 'gateway', 'temporal']);
      kills[victim] += 1;
      await again[victim]();
    }
  };
  const killing = kill();
  return {
    stop: async () => {
      isStopped = true;
      await killing;
      return kills;
    },
  };
}
