import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { PaymentsServiceConfig } from '../config/settings.js';
import { startSandbox } from '../sandbox/server.js';
import type { Sandbox } from '../sandbox/server.js';
import { freePort } from './free-port.js';
import type { Logger } from './logger.js';

const settings = z.object({ port: z.int(), client_secret: z.string() });
type Settings = z.infer<typeof settings>;

const CLIENT_ID = 'sandbox';

export type LocalSandbox = { readonly sandbox: Sandbox; readonly payments: PaymentsServiceConfig };

/**
 * The sandbox of a data directory. It keeps its address and credentials there, so that payments of an earlier run
 * find it again.
 *
 * @param timeScale multiplies each delay of the sandbox
 */
export async function startLocalSandbox(
  dataDir: string,
  timeScale: number,
  logger: Logger,
): Promise<LocalSandbox> {
  const file = join(dataDir, 'sandbox.json');
  const former = await readSettings(file);
  const port = await freePort(former?.port ?? 0);
  const clientSecret = former?.client_secret ?? randomBytes(24).toString('base64url');
  await mkdir(dataDir, { recursive: true });
  const current: Settings = { port, client_secret: clientSecret };
  await writeFile(file, `${JSON.stringify(current, null, 2)}\n`, { mode: 0o600 });
  const sandbox = await startSandbox({
    ...{ port, timeScale, clientId: CLIENT_ID, clientSecret },
    logger: logger.child({ part: 'sandbox' }),
  });
  return { sandbox, payments: { baseUrl: sandbox.url, clientId: CLIENT_ID, clientSecret } };
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
