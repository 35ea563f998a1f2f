import { defineConfig } from 'vitest/config';

/** Bounds for a stuck test, not expectations: the machines are small and noisy. */
export const bounds = {
  testTimeout: 300_000,
  hookTimeout: 480_000,
  expect: { poll: { timeout: 120_000 } },
};

const all = 'test/**/*.test.ts';
const onServers = 'test/**/*.server.test.ts';
const ofProcesses = 'test/**/*.process.test.ts';

/** Three tiers, which a file's name chooses: without Temporal; on servers that they share; programs, two at a time. */
export default defineConfig({
  test: {
    projects: [
      tier('core', 0, { include: [all], exclude: [onServers, ofProcesses] }, 'core-setup', 2),
      tier('server', 1, { include: [onServers] }, 'server-setup', 3),
      tier('process', 2, { include: [ofProcesses] }, 'server-setup', 2),
    ],
  },
});

function tier(
  name: string,
  groupOrder: number,
  files: { include: string[]; exclude?: string[] },
  setup: string,
  maxWorkers: number,
) {
  const globalSetup = [`test/support/${setup}.ts`];
  return {
    test: {
      name,
      ...files,
      globalSetup,
      maxWorkers,
      sequence: { groupOrder },
      pool: 'forks' as const,
      ...bounds,
    },
  };
}
