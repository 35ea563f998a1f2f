// What is reached at run time (`npm run check:imports`): imports of types do not count here.
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'workflow-bundle-without-zod-and-node',
      comment: 'Workflows run in a sandbox without Node; zod would cost memory in each of them.',
      severity: 'error',
      from: { path: '^workflows/(index|interceptors)[.]ts$' },
      to: { path: ['(^|/)(zod|undici)/', '^src/(?!domain/)', '^activities/'], reachable: true },
    },
    {
      name: 'workflow-bundle-without-core-modules',
      comment: 'Workflows run in a sandbox without Node.',
      severity: 'error',
      from: { path: ['^workflows/', '^src/domain/'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'open-telemetry-only-when-wanted',
      comment: 'Its SDK is loaded by the one file that is imported when traces are wanted.',
      severity: 'error',
      from: { path: '^(src|activities|workflows)/', pathNot: '^src/tracing/' },
      to: { path: ['/@opentelemetry/', '/interceptors-opentelemetry/'] },
    },
    {
      name: 'open-telemetry-is-imported-when-wanted',
      comment: 'An import at the top of a file would load it in every process.',
      severity: 'error',
      from: {},
      to: { path: '^src/tracing/open-telemetry[.]ts$', dynamic: false },
    },
    {
      name: 'client-without-worker-and-service',
      comment:
        'The client of TypeScript callers brings neither a worker nor the HTTP of the payments service.',
      severity: 'error',
      from: { path: '^src/client[.]ts$' },
      to: {
        path: ['/@temporalio/worker/', '/undici/', '^src/(payments-service|gateway|processes|dev)/'],
        reachable: true,
      },
    },
  ],
  options: { ...options, tsPreCompilationDeps: false },
};
