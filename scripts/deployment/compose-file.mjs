import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';

const run = promisify(execFile);

const list = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);
const duration = z.string().optional();
/** Compose 2 prints the soft and the hard one. */
const limit = z.union([z.int(), z.object({ hard: z.int() }).transform(({ hard }) => hard)]);
const volume = z
  .union([
    z.string().transform((text) => {
      const [source, target] = text.split(':');
      return { source, target };
    }),
    z.object({ source: z.string(), target: z.string() }),
  ])
  .transform(({ source, target }) => ({ source, target }));
const service = z.object({
  image: z.string(),
  command: list,
  entrypoint: list,
  environment: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable().transform(String))
    .default({}),
  secrets: z.array(z.object({ source: z.string() })).default([]),
  volumes: z.array(volume).default([]),
  ports: z
    .array(
      z.union([
        z.string(),
        z
          .object({ host_ip: z.string(), published: z.coerce.string(), target: z.coerce.string() })
          .transform(({ host_ip: ip, published, target }) => `${ip}:${published}:${target}`),
      ]),
    )
    .default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  network_mode: z.string().optional(),
  networks: z.record(z.string(), z.unknown()).default({}).transform(Object.keys),
  restart: z.string().optional(),
  healthcheck: z.object({ test: z.array(z.string()), interval: duration, timeout: duration }).optional(),
  tmpfs: list,
  read_only: z.boolean().default(false),
  ulimits: z.object({ core: limit }).optional(),
});
const composeFile = z.object({
  services: z.record(z.string(), service),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) })),
});

/** How Compose is called on this machine: as a plugin of Docker's command line, or by itself, as Debian has it. */
export async function composeCommand() {
  for (const command of [['docker', 'compose'], ['docker-compose']]) {
    const [program, ...args] = command;
    const found = await run(program, [...args, 'version']).then(
      () => true,
      () => false,
    );
    if (found) return command;
  }
  return undefined;
}

/** The files as Compose itself reads them, with the `.env` beside them; `profiles` are those that `.env` names. */
export async function readCompose(dir, files) {
  const [program, ...args] = (await composeCommand()) ?? [];
  const env = { PATH: process.env.PATH, HOME: dir };
  const named = files.flatMap((file) => ['-f', file]);
  const { stdout } = await run(program, [...args, ...named, 'config'], { cwd: dir, env });
  // It prints what could be read again, so each dollar sign is doubled.
  const undoubled = (_key, value) => (typeof value === 'string' ? value.replaceAll('$$', '$') : value);
  return composeFile.parse(parse(stdout, undoubled));
}
