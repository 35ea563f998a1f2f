import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { PaymentsServiceConfig } from '../../config/settings.js';
import { startSandbox } from '../sandbox/server.js';
import type { Sandbox } from '../sandbox/server.js';
import type { Snapshot } from '../sandbox/snapshot.js';
import { freePort } from '../free-port.js';
import { privateDirectory } from '../../config/private-directory.js';
import type { Logger } from '../../processes/logger.js';

// What the sandbox wrote about itself is its own to read; here only its outline is checked.
const snapshot = z.custom<Snapshot>((value) => z.object({ version: z.literal(1) }).safeParse(value).success);
const settings = z.object({ port: z.int(), client_secret: z.string(), snapshot: snapshot.optional() });
type Settings = z.infer<typeof settings>;

const CLIENT_ID = 'sandbox';
const saveAfterMs = 20;
/** Saving may take at most so much of the time: it writes all there is. */
const savingShare = 0.05;

export type LocalSandbox = {
  readonly url: string;
  readonly payments: PaymentsServiceConfig;
  close(): Promise<void>;
};

/**
 * The sandbox of a data directory. It keeps its address, its credentials and all it knows there, so that payments of
 * an earlier run go on. A process that is killed loses the last moment of it.
 *
 * @param timeScale multiplies each delay of the sandbox
 */
export async function startLocalSandbox(
  dataDir: string,
  timeScale: number,
  logger: Logger,
): Promise<LocalSandbox> {
  privateDirectory(dataDir);
  const file = join(dataDir, 'sandbox.json');
  const previous = await readSettings(file);
  const port = await freePort(previous?.port ?? 0);
  const clientSecret = previous?.client_secret ?? randomBytes(24).toString('base64url');
  let timer: NodeJS.Timeout | undefined;
  let lastSaveMs = 0;
  const sandbox: Sandbox = await startSandbox({
    ...{ port, timeScale, clientId: CLIENT_ID, clientSecret },
    logger: logger.child({ part: 'sandbox' }),
    ...(previous?.snapshot === undefined ? {} : { restored: previous.snapshot }),
    onChange: () => {
      timer ??= setTimeout(save, Math.max(saveAfterMs, lastSaveMs / savingShare));
    },
  });
  function save(): void {
    timer = undefined;
    const startedMs = performance.now();
    write(file, { port, client_secret: clientSecret, snapshot: sandbox.snapshot() });
    lastSaveMs = performance.now() - startedMs;
  }
  save();
  return {
    url: sandbox.url,
    payments: { baseUrl: sandbox.url, clientId: CLIENT_ID, clientSecret },
    close: async () => {
      const last = sandbox.snapshot();
      await sandbox.close();
      clearTimeout(timer);
      write(file, { port, client_secret: clientSecret, snapshot: last });
    },
  };
}

/** Whole or not at all. */
function write(file: string, content: Settings): void {
  writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

async function readSettings(file: string): Promise<Settings | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return settings.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
