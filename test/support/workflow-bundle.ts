import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { bundleWorkflows } from './bundle-workflows.js';

/** What `Worker.create` and `replayAfter` need to run the project's workflows. */
export function workflowBundle(): { codePath: string } {
  return { codePath: inject('workflowBundlePath') };
}

const ofTests = new Map<string, Promise<{ codePath: string }>>();

/** Workflows of the tests, with `more` modules of interceptors: bundled once for all files of a worker. */
export function testWorkflowBundle(
  workflowsPath: string,
  more: readonly string[] = [],
): Promise<{ codePath: string }> {
  const modules = [workflowsPath, ...more].join(' ');
  const destination = join(dirname(workflowBundle().codePath), `${randomUUID()}.js`);
  const bundle = ofTests.get(modules) ?? bundleWorkflows(workflowsPath, destination, more);
  ofTests.set(modules, bundle);
  return bundle;
}
