import { afterAll } from 'vitest';
import type { Oms } from './oms.js';
import { createHome } from './started.js';
import type { Home, HomeOptions } from './started.js';

/** `durable-payments start` for all tests of the file that calls this at its top; it ends after the last of them. */
export async function startedForAllTests(options: HomeOptions = {}): Promise<{ home: Home; oms: Oms }> {
  const home = await createHome(options);
  const starting = home.start();
  afterAll(async () => {
    try {
      await (await starting).end('SIGTERM');
    } finally {
      await home.remove();
    }
  });
  return { home, oms: home.oms(await starting) };
}
