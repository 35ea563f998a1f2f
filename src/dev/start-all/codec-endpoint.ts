import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateDirectory } from '../../config/private-directory.js';

/** The file that holds where the `temporal` command asks for what it shows, for its owner alone: a command line is seen by all. */
export function codecEndpointFile(dataDir: string): string {
  return join(dataDir, 'codec-endpoint');
}

export async function writeCodecEndpoint(dataDir: string, codecUrl: string): Promise<void> {
  privateDirectory(dataDir);
  await writeFile(codecEndpointFile(dataDir), codecUrl, { mode: 0o600 });
}
