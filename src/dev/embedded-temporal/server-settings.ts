import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'embedded';

/**
 * Writes flags of the `temporal` program to a file that only this user reads, and answers the arguments that name it.
 * For what must not stand on a command line.
 */
export async function writeServerSettings(
  dataDir: string,
  flags: Readonly<Record<string, string>>,
): Promise<string[]> {
  const file = join(dataDir, 'temporal-settings.yaml');
  // JSON is YAML. A new file, so that its rights are those given here.
  await rm(`${file}.new`, { force: true });
  await writeFile(`${file}.new`, JSON.stringify({ env: { [NAME]: flags } }), { mode: 0o600, flag: 'wx' });
  await rename(`${file}.new`, file);
  return ['--env-file', file, '--env', NAME];
}
