import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { bundleOptions } from '../../src/temporal/workflow-bundle.js';

const interceptors = fileURLToPath(new URL('../../workflows/interceptors.ts', import.meta.url));

/** Bundles workflows as the build does, with `more` modules of interceptors, and writes the result to `destination`. */
export async function bundleWorkflows(
  workflowsPath: string,
  destination: string,
  more: readonly string[] = [],
): Promise<{ codePath: string }> {
  const logger = new DefaultLogger('WARN');
  const options = bundleOptions(workflowsPath, [interceptors, ...more]);
  const { code } = await bundleWorkflowCode({ ...options, logger });
  await writeFile(destination, withoutPlaces(code));
  return { codePath: destination };
}

/** Every worker and every replay parses the source map: to do that takes longer than most tests. */
function withoutPlaces(code: string): string {
  const map = Buffer.from(JSON.stringify({ version: 3, sources: [], names: [], mappings: '' }));
  const program = code.slice(0, code.lastIndexOf('//# sourceMappingURL='));
  return `${program}//# sourceMappingURL=data:application/json;charset=utf-8;base64,${map.toString('base64')}`;
}
