import { defineConfig } from 'vitest/config';

/** The tests that `npm run test:mutation` repeats for each mutant of the rules: their tables. */
export default defineConfig({
  test: {
    include: ['test/{contract,domain}/**/*.test.ts'],
    // Counts the time of a processor, of which instrumented code takes several times as much.
    testNamePattern: /^(?!a card is looked for in a long text without end)/,
    pool: 'forks',
    testTimeout: 20_000,
  },
});
