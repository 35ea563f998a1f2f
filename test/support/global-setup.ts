import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { connectClient, plainTarget } from '../../src/temporal/connection.js';
import { cacheDir } from '../../src/temporal/embedded/cache-dir.js';
import { startEmbeddedTemporal } from '../../src/temporal/embedded/server.js';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.js';
import { bundleWorkflows } from './bundle-workflows.js';
import { testDataConverter } from './temporal-data-converter.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the development server of this test run listens. */
    temporalAddress: string;
    /** The workflow code, bundled once for all tests; empty when there are no workflows. */
    workflowBundlePath: string;
    /** The program that skips time; empty when this machine has none. */
    timeSkippingServerPath: string;
  }
}

const WORKFLOWS = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

/** What all tests of a run share: one Temporal in memory, one bundle of the workflows. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-tests-'));
  const temporal = await startEmbeddedTemporal({
    storage: 'memory',
    env: process.env,
    onProgress: (message) => console.log(message),
  });
  const opened = await connectClient(plainTarget(temporal.address), testDataConverter);
  await ensureSearchAttributes(opened.connection, temporal.namespace);
  await opened.close();

  project.provide('temporalAddress', temporal.address);
  const workflows = await existing(WORKFLOWS);
  const bundle = workflows === '' ? null : await bundleWorkflows(workflows, join(dir, 'workflow-bundle.js'));
  project.provide('workflowBundlePath', bundle?.codePath ?? '');
  project.provide(
    'timeSkippingServerPath',
    await existing(join(cacheDir(process.env), 'temporal-test-server')),
  );
  return async () => {
    await temporal.stop();
    await rm(dir, { recursive: true, force: true });
  };
}

async function existing(path: string): Promise<string> {
  return access(path).then(
    () => path,
    () => '',
  );
}
