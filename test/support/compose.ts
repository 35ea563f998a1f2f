import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

const texts = z.array(z.string()).default([]);
const service = z.looseObject({
  ...{ image: z.string().default(''), network_mode: z.string().optional(), mem_limit: z.string().optional() },
  ...{ command: texts, entrypoint: texts, profiles: texts, secrets: texts, networks: texts },
  ...{ ports: texts, volumes: texts, environment: z.record(z.string(), z.string()).default({}) },
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
});
const compose = z.object({
  services: z.record(z.string(), service),
  secrets: z.record(z.string(), z.object({ file: z.string() })).default({}),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) })).default({}),
});

/** A file of the repository, by its path from the root. */
export const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A file for Compose: its text, the YAML of it, and what the tests read. */
export function composeFile(path: string) {
  const text = readFileSync(root(path), 'utf8');
  const raw: unknown = parse(text, { merge: true });
  return { text, raw, ...compose.parse(raw) };
}
