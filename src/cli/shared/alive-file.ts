import { rm, writeFile } from 'node:fs/promises';

const everyMs = 10_000;

/** Keeps a file's time of change fresh; answers what ends that and removes it. */
export async function keepTouching(path: string): Promise<() => Promise<void>> {
  const touch = () => writeFile(path, `${new Date().toISOString()}\n`);
  await touch();
  const timer = setInterval(() => void touch().catch(() => undefined), everyMs);
  return async () => {
    clearInterval(timer);
    await rm(path, { force: true });
  };
}
