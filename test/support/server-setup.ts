import type { TestProject } from 'vitest/node';
import { getTestServer } from '../../src/dev/embedded-temporal/locate-test-server.js';
import { startEmbeddedTemporal } from '../../src/dev/embedded-temporal/server.js';
import { shareServer, shortHistories } from './share-server.js';

/** For most tests: the embedded Temporal, with its database in memory, and the program that skips time. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = (message: string): void => console.log(message);
  project.provide('timeSkippingServerPath', await getTestServer(process.env, log));
  const settings = Object.entries(shortHistories).map(([name, value]) => [name, String(value)]);
  const temporal = await startEmbeddedTemporal({
    storage: 'memory',
    env: process.env,
    onProgress: log,
    dynamicConfig: Object.fromEntries(settings) as Record<string, string>,
  });
  return shareServer(project, 'embedded', temporal);
}
