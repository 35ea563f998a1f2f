// Who may import whom (`npm run check:imports`); type imports count as imports.

/** The folders of ours; below stands what each may import of the others. */
const folders = {
  domain: '^src/domain/',
  contract: '^src/contract/',
  encryption: '^src/encryption/',
  'payments-service': '^src/payments-service/',
  'card-store': '^src/card-store/',
  webhooks: '^src/webhooks/',
  temporal: '^src/temporal/',
  client: '^src/client(/|[.]ts$)',
  config: '^src/config(/|[.]ts$)',
  metrics: '^src/metrics/',
  tracing: '^src/tracing/',
  health: '^src/health/',
  audit: '^src/audit/',
  nexus: '^src/nexus(/|[.]ts$)',
  gateway: '^src/gateway/',
  processes: '^src/processes/',
  dev: '^src/dev/',
  cli: '^src/cli/',
  activities: '^activities/',
  workflows: '^workflows/',
};

const mayImport = {
  domain: [],
  contract: ['domain'],
  encryption: [],
  'payments-service': ['domain', 'encryption'],
  'card-store': [],
  webhooks: ['contract', 'domain'],
  activities: ['payments-service', 'card-store', 'webhooks', 'contract', 'domain'],
  // Of contract and activities types only: see the rules below.
  workflows: ['domain', 'contract', 'activities'],
  temporal: ['contract', 'domain', 'encryption', 'payments-service'],
  client: ['temporal', 'contract', 'domain', 'workflows'],
  config: ['temporal', 'domain'],
  metrics: ['domain', 'payments-service'],
  tracing: ['domain', 'payments-service'],
  health: ['metrics', 'temporal', 'contract', 'domain'],
  audit: ['client', 'domain'],
  nexus: ['audit', 'client', 'temporal', 'contract', 'domain', 'workflows'],
  gateway: [
    ...['audit', 'client', 'temporal', 'contract', 'domain', 'workflows', 'metrics', 'health', 'tracing'],
  ],
  processes: [
    ...['activities', 'audit', 'card-store', 'client', 'config', 'contract', 'domain', 'gateway'],
    ...['nexus', 'payments-service', 'temporal', 'webhooks', 'metrics', 'health', 'tracing'],
  ],
  dev: [
    'audit',
    'client',
    'config',
    'contract',
    'domain',
    'gateway',
    'health',
    'metrics',
    'processes',
    'temporal',
  ],
  cli: [
    ...[
      'audit',
      'client',
      'config',
      'contract',
      'dev',
      'domain',
      'health',
      'metrics',
      'payments-service',
      'processes',
    ],
    ...['temporal', 'workflows'],
  ],
};

/** The packages and Node modules that a folder may import, where that matters. */
const packages = {
  domain: ['@brazilian-utils/brazilian-utils'],
  contract: ['zod', 'node:crypto'],
  encryption: ['node:crypto'],
  'payments-service': ['zod', 'undici', 'node:'],
  webhooks: ['undici', 'standardwebhooks', 'node:'],
  'card-store': ['node:'],
  activities: ['@temporalio/activity', 'zod', 'node:'],
  workflows: ['@temporalio/workflow'],
  nexus: ['@temporalio/client', '@temporalio/common', '@temporalio/nexus', 'nexus-rpc', 'zod'],
  client: [
    '@streamparser/json',
    '@temporalio/client',
    '@temporalio/common',
    'csv-parse',
    'csv-stringify',
    'zod',
    'node:',
  ],
  config: ['zod', 'fastest-levenshtein', 'node:'],
};

/** No other folder of ours than those allowed. */
function allowedParts([name, allowed]) {
  const others = Object.keys(folders).filter((other) => other !== name && !allowed.includes(other));
  return {
    name: `${name}-imports-only-what-it-may`,
    comment: `${name} may import ${allowed.length === 0 ? 'nothing of ours' : allowed.join(', ')}.`,
    severity: 'error',
    from: { path: folders[name] },
    to: { path: others.map((other) => folders[other]) },
  };
}

function allowedPackages([name, allowed]) {
  const pathNot = allowed.flatMap((wanted) =>
    wanted === 'node:' ? [] : [wanted.startsWith('node:') ? `^${wanted.slice(5)}$` : `/${wanted}/`],
  );
  const dependencyTypes = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];
  return {
    name: `${name}-uses-only-these-packages`,
    comment: `${name} may use ${allowed.length === 0 ? 'no package' : allowed.join(', ')}.`,
    severity: 'error',
    from: { path: folders[name] },
    to: {
      dependencyTypes: allowed.includes('node:') ? dependencyTypes : [...dependencyTypes, 'core'],
      ...(pathNot.length === 0 ? {} : { pathNot }),
    },
  };
}

const typesOnly = { dependencyTypesNot: ['type-only', 'type-import'] };

module.exports = {
  forbidden: [
    ...Object.entries(mayImport).map(allowedParts),
    ...Object.entries(packages).map(allowedPackages),
    {
      name: 'no-circular',
      comment:
        'A cycle, of types too, means that two files are one thing, or that one of them knows too much.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-file-belongs-to-a-folder',
      comment: 'A new folder needs a line above for what it may import.',
      severity: 'error',
      from: {},
      to: { path: '^(src|activities|workflows)/', pathNot: Object.values(folders) },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere is checked by no rule. Scripts import what the build makes.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '/dist/' },
    },
    {
      name: 'workflows-take-types-only-of-contract-and-activities',
      comment: 'Their code (zod, Node, HTTP clients) does not belong into the workflow bundle.',
      severity: 'error',
      from: { path: folders.workflows },
      to: { path: [folders.contract, folders.activities], ...typesOnly },
    },
    {
      name: 'others-take-types-only-of-workflows',
      comment: 'Who starts a workflow names it by its type; its code runs in a worker alone.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: folders.workflows, ...typesOnly },
    },
    {
      name: 'the-loop-knows-nothing-of-temporal',
      comment: 'Tests run the same loop over engines of their own.',
      severity: 'error',
      from: { path: '^workflows/shared/(loop|engine|execute|command-queue|payment)[.]ts$' },
      to: { path: '/@temporalio/' },
    },
    {
      name: 'the-nexus-contract-is-for-workflows-too',
      comment: 'A workflow of the caller imports it, so it brings nothing that a workflow bundle refuses.',
      severity: 'error',
      from: { path: '^src/nexus[.]ts$' },
      to: { path: '^src/', pathNot: folders.domain, ...typesOnly },
    },
    {
      name: 'the-packed-client-parses-no-files',
      comment:
        '`npm run pack:client` packs what src/client.ts reaches; batches are read from files by others.',
      severity: 'error',
      from: { path: '^src/client[.]ts$' },
      to: { path: 'node_modules/(csv-parse|@streamparser/json)/', reachable: true },
    },
    {
      name: 'core-tests-start-nothing',
      comment:
        'A test that needs Temporal is a `.server.test.ts`, one that runs programs a `.process.test.ts`.',
      severity: 'error',
      from: { path: '^test/.*[.]test[.]ts$', pathNot: '[.](server|process)[.]test[.]ts$' },
      to: {
        path: '^test/(support/temporal-(dev-server|time-skipping)|processes/support/program)[.]ts$',
        reachable: true,
      },
    },
    {
      name: 'sandbox-imports-nothing-of-ours',
      comment: 'It plays the service from its document, so it must not share our reading of it.',
      severity: 'error',
      from: { path: '^src/dev/sandbox/' },
      to: { path: '^(src|activities|workflows)/', pathNot: '^src/dev/sandbox/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // A client of the published document, built in a project of its own.
    exclude: { path: '^test/clients/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
};
