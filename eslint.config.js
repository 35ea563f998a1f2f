import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// Workflow code is deterministic and small: no Node, no clients, no zod (it costs memory in each sandbox).
const workflowSandbox = {
  patterns: [
    { group: ['node:*'], message: 'Workflows run in a sandbox without Node.' },
    {
      group: [
        'zod',
        'undici',
        '@temporalio/client',
        '@temporalio/worker',
        '@temporalio/activity',
        '@temporalio/common',
      ],
    },
    {
      group: ['**/src/contract/*', '**/activities/*'],
      allowTypeImports: true,
      message: 'Workflows take types only from here.',
    },
    {
      group: [
        '**/src/payments-service/*',
        '**/src/temporal/*',
        '**/src/gateway/*',
        '**/src/card-store/*',
        '**/src/config.js',
      ],
    },
  ],
};

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', '.data/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
    },
  },
  { files: ['*.config.ts'], rules: { 'no-restricted-exports': 'off' } },
  {
    files: ['workflows/**/*.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', workflowSandbox] },
  },
  {
    files: ['src/**/*.ts', 'activities/**/*.ts', 'workflows/**/*.ts'],
    ignores: ['src/config.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in src/config.ts alone.' },
      ],
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { globals: { module: 'writable', require: 'readonly' } },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
);
