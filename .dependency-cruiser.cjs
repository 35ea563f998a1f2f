// Who may import whom (`npm run check:imports`); type imports count as imports.

/** The folders of ours; each says below what it may import of the others. */
const parts = {
  domain: '^src/domain/',
  contract: '^src/contract/',
  'payments-service': '^src/payments-service/',
  'card-store': '^src/card-store/',
  webhooks: '^src/webhooks/',
  temporal: '^src/temporal/',
  client: '^src/client(/|[.]ts$)',
  config: '^src/config(/|[.]ts$)',
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
  'payments-service': ['domain'],
  'card-store': [],
  webhooks: ['contract', 'domain'],
  activities: ['payments-service', 'card-store', 'webhooks', 'contract', 'domain'],
  // Of contract and activities types only: see the rules below.
  workflows: ['domain', 'contract', 'activities'],
  temporal: ['contract', 'domain', 'payments-service'],
  client: ['temporal', 'contract', 'domain', 'workflows'],
  config: ['temporal', 'domain'],
  gateway: ['client', 'temporal', 'contract', 'domain', 'workflows'],
  processes: [
    ...['activities', 'card-store', 'client', 'config', 'contract', 'domain', 'gateway'],
    ...['payments-service', 'temporal', 'webhooks'],
  ],
  dev: ['client', 'config', 'contract', 'domain', 'gateway', 'processes', 'temporal'],
  cli: ['client', 'config', 'contract', 'dev', 'domain', 'processes', 'temporal', 'workflows'],
};

/** The packages and Node modules that a part may import, where that matters. */
const packages = {
  domain: [],
  contract: ['zod', 'node:crypto', '@brazilian-utils/brazilian-utils'],
  'payments-service': ['zod', 'undici', 'node:'],
  webhooks: ['undici', 'standardwebhooks', 'node:'],
  'card-store': ['node:'],
  activities: ['@temporalio/activity', 'zod', 'node:'],
  workflows: ['@temporalio/workflow'],
  client: ['@streamparser/json', '@temporalio/client', '@temporalio/common', 'csv-parse', 'zod', 'node:'],
  config: ['zod', 'node:'],
};

/** No other part of ours than those allowed. */
function allowedParts([name, allowed]) {
  const others = Object.keys(parts).filter((other) => other !== name && !allowed.includes(other));
  return {
    name: `${name}-imports-only-what-it-may`,
    comment: `${name} may import ${allowed.length === 0 ? 'nothing of ours' : allowed.join(', ')}.`,
    severity: 'error',
    from: { path: parts[name] },
    to: { path: others.map((other) => parts[other]) },
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
    from: { path: parts[name] },
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
      from: { pathNot: parts.workflows },
      to: { circular: true },
    },
    {
      name: 'no-circular-in-workflows',
      comment:
        'Warns until the last cycle among the workflows is gone; then this rule goes and the one above has all.',
      severity: 'warn',
      from: { path: parts.workflows },
      to: { circular: true },
    },
    {
      name: 'every-file-belongs-to-a-part',
      comment: 'A new folder needs a line above that says what it may import.',
      severity: 'error',
      from: {},
      to: { path: '^(src|activities|workflows)/', pathNot: Object.values(parts) },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere is checked by no rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'workflows-take-types-only-of-contract-and-activities',
      comment: 'Their code (zod, Node, HTTP clients) does not belong into the workflow bundle.',
      severity: 'error',
      from: { path: parts.workflows },
      to: { path: [parts.contract, parts.activities], ...typesOnly },
    },
    {
      name: 'others-take-types-only-of-workflows',
      comment: 'Who starts a workflow names it by its type; its code runs in a worker alone.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: parts.workflows, ...typesOnly },
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
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
};
