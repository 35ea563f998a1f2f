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
  await writeFile(destination, withoutSources(code));
  return { codePath: destination };
}

/** Every worker and every replay parses the source map: it tells places alone, not what stands there. */
function withoutSources(code: string): string {
  const [program = '', map = ''] = code.split(
    /(?<=sourceMappingURL=data:application\/json;charset=utf-8;base64,)/,
  );
  const { sourcesContent: _, ...places } = JSON.parse(Buffer.from(map, 'base64').toString()) as Record<
    string,
    unknown
  >;
  return program + Buffer.from(JSON.stringify(places)).toString('base64');
}
