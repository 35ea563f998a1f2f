import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OnProgress } from './progress.js';
import { runTool } from './run-tool.js';

// The newest version that `go install` accepts: later ones have replace directives. Go checks it and all that it is
// made of against the hashes of its public checksum database.
const TEMPORAL_CLI = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';

/**
 * Builds Temporal's command line program from its source and puts it at `destination`, whole or not at all. Takes
 * minutes, which is announced; each module fetched and each package compiled is reported to `onProgress`.
 */
export async function buildWithGo(
  destination: string,
  env: Readonly<Record<string, string | undefined>>,
  onProgress: OnProgress,
): Promise<void> {
  await mkdir(dirname(destination), { recursive: true });
  const dir = await mkdtemp(join(dirname(destination), 'build-'));
  try {
    await runTool('go', ['install', '-v', TEMPORAL_CLI], {
      env: { ...homelessGo(dirname(destination), env), ...env, GOBIN: dir },
      // Short: a terminal has 80 columns, and the end is what changes.
      onLine: (line) => onProgress(`several minutes with Go: ${line}`),
    });
    await rename(join(dir, 'temporal'), destination);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Go refuses to work without a place for its caches. */
function homelessGo(dir: string, env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  if (env.HOME !== undefined && env.HOME !== '') return {};
  return { GOPATH: join(dir, 'go'), GOCACHE: join(dir, 'go-build') };
}
