import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    globalSetup: ['test/support/global-setup.ts'],
    // Bounds for a stuck test, not expectations: the machines are small and noisy.
    testTimeout: 300_000,
    hookTimeout: 480_000,
    expect: { poll: { timeout: 120_000 } },
    // More than there are cores: many tests wait for what takes real time.
    maxWorkers: 3,
  },
});
