import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { failureConverterPath } from '../../src/temporal/data-converter.js';

const interceptors = fileURLToPath(new URL('../../workflows/interceptors.ts', import.meta.url));

/** Bundles workflows as the build does, with `more` modules of interceptors, and writes the result to `destination`. */
export async function bundleWorkflows(
  workflowsPath: string,
  destination: string,
  more: readonly string[] = [],
): Promise<{ codePath: string }> {
  const logger = new DefaultLogger('WARN');
  const { code } = await bundleWorkflowCode({
    ...{ workflowsPath, failureConverterPath, logger },
    workflowInterceptorModules: [interceptors, ...more],
  });
  await writeFile(destination, code);
  return { codePath: destination };
}
