import { defineConfig } from 'vitest/config';
import { bounds } from './vitest.config.js';

const workflows = ['after-a-reset', 'continued-runs', 'refund-once', 'reused-ids', 'unopened-messages'];

/** What operators do by Temporal's own calls, and the Nexus service, on the newest release of its server: `npm run check:newest-server`. */
export default defineConfig({
  test: {
    ...bounds,
    pool: 'forks',
    maxWorkers: 3,
    include: [
      ...['test/operators/**/*.test.ts', 'test/nexus/payments-service.server.test.ts'],
      'test/health/failing-tasks.server.test.ts',
      ...workflows.map((name) => `test/workflows/${name}.*.test.ts`),
    ],
    globalSetup: ['test/newest-server/global-setup.ts'],
    setupFiles: ['test/support/per-file.ts'],
  },
});
