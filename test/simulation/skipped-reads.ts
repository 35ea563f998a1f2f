import type { Simulated } from './simulated-run.js';

/**
 * As long as nothing happens, a read shows what the one before it has shown. Then as many are left out as fit into
 * half of the time that has been quiet already, and before whatever happens next.
 */
export function afterSkippedReads({ clock, disturbedAt, service }: Simulated, at: number): number {
  const everyMs = at - clock.now;
  const until = Math.min(clock.nextAt, service.outages.changesAt, at + (clock.now - disturbedAt) / 2);
  return at + Math.max(0, Math.floor((until - at) / everyMs)) * everyMs;
}
