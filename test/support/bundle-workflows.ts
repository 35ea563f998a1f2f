import { writeFile } from 'node:fs/promises';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { failureConverterPath } from '../../src/temporal/data-converter.js';

/** Bundles workflows as the build does and writes the result to `destination`. */
export async function bundleWorkflows(
  workflowsPath: string,
  destination: string,
): Promise<{ codePath: string }> {
  const logger = new DefaultLogger('WARN');
  const { code } = await bundleWorkflowCode({ workflowsPath, failureConverterPath, logger });
  await writeFile(destination, code);
  return { codePath: destination };
}
