import { readFileSync } from 'node:fs';
import { z } from 'zod';

export const programName = 'durable-payments';

const manifest = z.object({ name: z.string(), version: z.string() });

/** The version in this package's package.json, which is two folders up from the code as it is built, or one more. */
export function programVersion(): string {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const { name, version } = manifest.parse(
        JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')),
      );
      if (name === programName) return version;
    } catch {
      // Not there: the other one is.
    }
  }
  return 'unknown';
}
