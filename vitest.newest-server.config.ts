import { defineConfig } from 'vitest/config';
import general from './vitest.config.js';

const workflows = ['after-a-reset', 'after-several-attempts', 'refund-once', 'reused-ids', 'sent-once'];

/** What operators do by Temporal's own calls, and the Nexus service, on the newest release of its server: `npm run check:newest-server`. */
export default defineConfig({
  test: {
    ...general.test,
    include: [
      ...['test/operators/**/*.test.ts', 'test/nexus/payments-service.test.ts'],
      ...workflows.map((name) => `test/workflows/${name}.test.ts`),
    ],
    globalSetup: ['test/newest-server/global-setup.ts'],
  },
});
