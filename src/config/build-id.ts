import { readFileSync } from 'node:fs';
import { programVersion } from './program-version.js';

/** What tells this build from others: its version and commit, as the build has written them beside the code. */
export function buildId(): string {
  try {
    return readFileSync(new URL('../../build-id', import.meta.url), 'utf8').trim();
  } catch {
    return programVersion();
  }
}
