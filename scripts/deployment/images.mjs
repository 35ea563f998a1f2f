import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const here = (file) => fileURLToPath(new URL(`images/${file}`, import.meta.url));

/**
 * What stands for each image: programs of this machine with the files, the environment and the first command that the
 * image has. `alpine`: its shell and small programs are busybox. Images without an entry have no program here.
 */
export function imagesOf({ temporalServer, temporalCli }) {
  const temporal = {
    alpine: true,
    cwd: '/etc/temporal',
    path: ['/opt/temporal'],
    binds: [
      [temporalServer, '/opt/temporal'],
      [temporalCli, '/opt/temporal-cli/temporal'],
      [join(temporalServer, 'entrypoint.sh'), '/etc/temporal/entrypoint.sh'],
      [join(temporalServer, 'schema'), '/etc/temporal/schema'],
    ],
  };
  return {
    'durable-payments': program(),
    postgres: {
      path: [postgresPrograms()],
      binds: [[here('postgres.sh'), '/entrypoint.sh']],
      entrypoint: ['/entrypoint.sh'],
    },
    'temporalio/server': { ...temporal, entrypoint: ['/etc/temporal/entrypoint.sh'] },
    'temporalio/admin-tools': { ...temporal, path: ['/opt/temporal', '/opt/temporal-cli'] },
    'nginxinc/nginx-unprivileged': {
      alpine: true,
      binds: [
        [here('nginx.sh'), '/entrypoint.sh'],
        [here('nginx.conf'), '/etc/nginx/nginx.conf'],
      ],
      entrypoint: ['/entrypoint.sh'],
    },
    'prom/prometheus': {
      alpine: true,
      binds: [],
      entrypoint: ['prometheus'],
      command: ['--config.file=/etc/prometheus/prometheus.yml', '--storage.tsdb.path=/prometheus'],
    },
  };
}

/** By the Dockerfile: its last stage says what is run, and how its health is seen. */
function program() {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const instruction = (pattern) => JSON.parse(pattern.exec(dockerfile)?.[1] ?? 'null');
  const [, name, value] = /^ENV (\w+)=(\S+)$/m.exec(dockerfile) ?? [];
  return {
    cwd: '/app',
    // As in deploy/kubernetes: none that the image knows.
    user: '10001',
    path: ['/opt/node'],
    binds: [
      [process.execPath, '/opt/node/node'],
      ...['dist', 'node_modules', 'package.json'].map((file) => [join(root, file), `/app/${file}`]),
    ],
    environment: { [name]: value },
    entrypoint: instruction(/^ENTRYPOINT (.*)$/m),
    command: instruction(/^CMD (.*)$/m),
    healthcheck: { test: ['CMD', ...instruction(/^HEALTHCHECK .*CMD (.*)$/m)] },
  };
}

function postgresPrograms() {
  const versions = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a));
  return `/usr/lib/postgresql/${String(versions[0])}/bin`;
}

/** The part of an image's address that names what is in it. */
export function nameOfImage(image) {
  return image.replace(/^docker\.io\//, '').replace(/(@.*|:[^/]*)$/, '');
}
