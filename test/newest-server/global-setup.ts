import type { TestProject } from 'vitest/node';
import { startNewestTemporal } from '../../scripts/deployment/newest-temporal.mjs';
import { shareServer, shortHistories } from '../support/share-server.js';

/** For `npm run check:newest-server`: the newest release of Temporal's server. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const temporal = await startNewestTemporal({
    env: process.env,
    onProgress: (message) => console.log(message),
    dynamicConfig: shortHistories,
  });
  return shareServer(project, 'newest', temporal);
}
