import { chmod, mkdir } from 'node:fs/promises';

/** Makes a directory that only this user can look into (0700), also when it is there already. */
export async function privateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}
