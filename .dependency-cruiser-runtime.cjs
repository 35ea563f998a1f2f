// What is reached at run time (`npm run check:imports`): imports of types do not count here.
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'workflow-bundle-without-zod-and-node',
      comment: 'Workflows run in a sandbox without Node; zod would cost memory in each of them.',
      severity: 'error',
      from: { path: '^workflows/index[.]ts$' },
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
