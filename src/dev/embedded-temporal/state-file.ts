import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { requireOwn } from '../../config/private-directory.js';

const state = z.object({
  /** The process that started the server, and the server itself. */
  owner_pid: z.int(),
  server_pid: z.int(),
  port: z.int(),
  ui_port: z.int(),
  namespace: z.string(),
});

/** What an embedded Temporal leaves in its data directory: where it is, so that a restart is found there again. */
export type EmbeddedState = z.infer<typeof state>;

/**
 * The latest embedded Temporal of this data directory, running or not; null when there never was one.
 *
 * @throws ConfigError when the directory belongs to another user, who may have planted it
 */
export async function readEmbeddedState(
  dataDir: string,
  uid = process.getuid?.(),
): Promise<EmbeddedState | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  requireOwn(dataDir, uid);
  try {
    return state.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export async function writeEmbeddedState(dataDir: string, value: EmbeddedState): Promise<void> {
  const file = fileIn(dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'temporal.json');
}
