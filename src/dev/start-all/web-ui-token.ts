import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateDirectory } from '../../temporal/private-directory.js';

/** What the printed links into the Web UI carry: kept for its owner alone, so that links outlive a restart. */
export async function webUiToken(dataDir: string): Promise<string> {
  await privateDirectory(dataDir);
  const file = join(dataDir, 'web-ui-token');
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (/^[\w-]{32}$/.test(kept)) return kept;
  const token = randomBytes(24).toString('base64url');
  await writeFile(`${file}.new`, token, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return token;
}
