import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { connectClient, plainTarget } from '../../src/temporal/connection.js';
import { getTestServer } from '../../src/dev/embedded-temporal/locate-test-server.js';
import { startEmbeddedTemporal } from '../../src/dev/embedded-temporal/server.js';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.js';
import { bundleWorkflows } from './bundle-workflows.js';
import { testDataConverter } from './temporal-data-converter.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the development server of this test run listens. */
    temporalAddress: string;
    /** The workflow code, bundled once for all tests. */
    workflowBundlePath: string;
    /** The program that skips time. */
    timeSkippingServerPath: string;
  }
}

const WORKFLOWS = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

/** What all tests of a run share: one Temporal in memory, one bundle of the workflows. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const tell = (message: string): void => console.log(message);
  const testServer = await getTestServer(process.env, tell);
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-tests-'));
  const { codePath } = await bundleWorkflows(WORKFLOWS, join(dir, 'workflow-bundle.js'));
  const temporal = await startEmbeddedTemporal({
    storage: 'memory',
    env: process.env,
    onProgress: tell,
    // Payments of the tests continue as new after a few dozen steps, or Updates, instead of thousands.
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '150', 'history.maxTotalUpdates': '100' },
  });
  const opened = await connectClient(plainTarget(temporal.address), testDataConverter);
  await ensureSearchAttributes(opened.connection, temporal.namespace);
  await opened.close();

  project.provide('temporalAddress', temporal.address);
  project.provide('workflowBundlePath', codePath);
  project.provide('timeSkippingServerPath', testServer);
  return async () => {
    await temporal.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
