import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OnProgress } from './progress.js';
import { runTool } from './run-tool.js';

const DOWNLOADER = fileURLToPath(new URL('./sdk-download.cjs', import.meta.url));
const NOTHING_ARRIVED_MS = 20_000;
const TOO_LONG_MS = 10 * 60_000;

/**
 * Lets the SDK download one of its servers, and puts it at `destination`, whole or not at all.
 *
 * @throws Error soon when nothing arrives: the way out may be closed without saying so.
 */
export async function fetchWithSdk(
  kind: 'dev-server' | 'time-skipping',
  destination: string,
  env: Readonly<Record<string, string | undefined>>,
  onProgress: OnProgress,
): Promise<void> {
  await mkdir(dirname(destination), { recursive: true });
  const dir = await mkdtemp(join(dirname(destination), 'download-'));
  try {
    onProgress('asking the Temporal SDK for its download');
    await runTool(process.execPath, [DOWNLOADER, kind, dir], {
      env,
      giveUp: (elapsedMs) => {
        if (readdirSync(dir).length > 0) {
          onProgress('the Temporal SDK is downloading');
          return elapsedMs > TOO_LONG_MS ? 'the download took too long' : null;
        }
        return elapsedMs > NOTHING_ARRIVED_MS ? 'the download did not begin' : null;
      },
    });
    const [file] = await readdir(dir);
    if (file === undefined) throw new Error('the download left no file');
    await rename(join(dir, file), destination);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
