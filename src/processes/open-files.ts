import { z } from 'zod';
import { ConfigError } from '../config.js';
import { gatewayLimits } from '../gateway/deps.js';

/** What a process opens beside connections of callers: to Temporal, the service and webhooks, its log, a Web UI. */
const reserve = 1_000;

const report = z.object({
  userLimits: z.object({ open_files: z.object({ soft: z.union([z.number(), z.string()]) }) }),
});

/** How many files, and so connections, the operating system lets this process open; Infinity where it does not say. */
export function openFilesLimit(): number {
  // Node has raised it as far as it may. Of connections nothing is asked, which would look up their names.
  Object.assign(process.report, { excludeNetwork: true });
  const { success, data } = report.safeParse(process.report.getReport());
  const soft = success ? data.userLimits.open_files.soft : 'unlimited';
  return typeof soft === 'number' ? soft : Infinity;
}

/**
 * @param others how many connections other servers of the same process take
 * @throws ConfigError when a gateway could take more connections than it may open: the next one would end the process
 */
export function requireOpenFiles(others = 0, limit = openFilesLimit()): void {
  const connections = gatewayLimits.connections + others;
  const needed = connections + reserve;
  if (limit >= needed) return;
  throw new ConfigError([
    `The operating system lets this process open ${String(limit)} files, and it takes up to ${String(connections)} ` +
      `connections: it needs ${String(needed)}. Raise the limit, by \`ulimit -n ${String(needed)}\` (as root \`ulimit -Hn\` first), ` +
      `LimitNOFILE=${String(needed)} of systemd, or \`ulimits: { nofile: ${String(needed)} }\` of Compose.`,
  ]);
}
