import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundleWorkflows } from './bundle-workflows.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The workflow code, bundled once for all tests of a tier. */
    workflowBundlePath: string;
    /** A directory of the workers of a tier, which is removed after its tests. */
    sharedPath: string;
  }
}

const WORKFLOWS = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

/** Bundles the workflows for all tests of a tier; the result removes the bundle after them. */
export async function shareBundle(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-tests-'));
  const { codePath } = await bundleWorkflows(WORKFLOWS, join(dir, 'workflow-bundle.js'));
  project.provide('workflowBundlePath', codePath);
  project.provide('sharedPath', dir);
  return () => rm(dir, { recursive: true, force: true });
}
