import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { onlyInFull } from './test/only-in-full.js';
import { inFull } from './test/support/tools.js';

/** Bounds for a stuck test, not expectations: the machines are small and noisy. */
export const bounds = {
  testTimeout: 60_000,
  hookTimeout: 240_000,
  expect: { poll: { interval: 200, timeout: 50_000 } },
};

const all = 'test/**/*.test.ts';
const onServers = 'test/**/*.server.test.ts';
const ofProcesses = 'test/**/*.process.test.ts';
const skipped = inFull() ? [] : Object.keys(onlyInFull).map((name) => `test/${name}.test.ts`);
const coreSetup = { globalSetup: ['test/support/core-setup.ts'] };
const serverSetup = {
  globalSetup: ['test/support/server-setup.ts'],
  setupFiles: ['test/support/per-file.ts'],
  // The first test of a file also starts what the file shares: a server that skips time, workers, programs.
  testTimeout: 120_000,
};
/** Workers run workflows in the thread of the tests: to start one of their own takes longer than most tests. */
const inOneThread = { env: { TEMPORAL_DEBUG: 'true' } };

/** Where nothing is known of earlier runs these begin, or the last of them would run on alone. */
const longest = [
  ...[
    'operators/activities',
    'workflows/queries-before-tasks',
    'workflows/bulk-retry',
    'workflows/notifications',
  ],
  ...['workflows/lives', 'workflows/sampled-plans', 'gateway/commands-by-stage'],
  ...['health/fleet', 'workflows/after-a-reset', 'workflows/payout-batch'],
  ...['docs/pages', 'docs/incidents', 'security/leak', 'processes/killed-processes', 'processes/start'],
  ...['processes/lingering', 'security/rotation'],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      longest.some((name) => moduleId.includes(`/${name}.`));
    const tierOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => tierOf(a) - tierOf(b) || Number(isLong(b)) - Number(isLong(a)));
  }
}

/**
 * Three tiers, which a file's name chooses: without Temporal; on servers that they share; programs, four at a time. The
 * files of a worker share their modules: to load them takes longer than most tests.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      tier('core', 0, { include: [all], exclude: [onServers, ofProcesses] }, coreSetup, 2),
      tier('server', 1, { include: [onServers], exclude: skipped }, { ...serverSetup, ...inOneThread }, 6),
      tier('process', 2, { include: [ofProcesses], exclude: skipped }, serverSetup, 4),
    ],
  },
});

function tier(
  name: string,
  groupOrder: number,
  files: { include: string[]; exclude?: string[] },
  setup: {
    globalSetup: string[];
    setupFiles?: string[];
    testTimeout?: number;
    env?: Record<string, string>;
  },
  maxWorkers: number,
) {
  return {
    test: {
      name,
      ...bounds,
      ...files,
      ...setup,
      isolate: false,
      maxWorkers,
      sequence: { groupOrder },
      pool: 'forks' as const,
    },
  };
}
