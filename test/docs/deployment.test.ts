import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { configVariables } from '../../src/config.js';
import { codeBlocks, root, textOf } from './markdown.js';
import { commandsOf } from './shell.js';

const page = 'docs/deployment.md';
const commands = codeBlocks(page, 'sh').flatMap(({ code }) => commandsOf(code));
const of = (...words: string[]) => commands.filter((each) => words.every((word, at) => each[at] === word));
const compose = z
  .object({ services: z.record(z.string(), z.unknown()) })
  .parse(parseAllDocuments(textOf('docker-compose.yml'), { merge: true })[0]?.toJS());

test('each file and each service in a command of Compose is there', () => {
  const composed = of('docker', 'compose');
  expect(composed.length).toBeGreaterThan(2);
  for (const words of composed) {
    for (const file of words.filter((word) => word.endsWith('.yml'))) textOf(file);
    const named = words.flatMap((word, at) =>
      words[at - 1] === 'exec' ? [word] : words[at - 1] === '--scale' ? [word.split('=')[0] ?? ''] : [],
    );
    for (const service of named) expect(Object.keys(compose.services)).toContain(service);
  }
});

const pods = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  spec: z
    .object({
      template: z
        .object({
          spec: z.object({
            containers: z.array(
              z.object({ env: z.array(z.object({ name: z.string(), value: z.string() })) }),
            ),
          }),
        })
        .optional(),
    })
    .optional(),
});
const objects = ['gateway', 'worker'].flatMap((file) =>
  parseAllDocuments(textOf(`deploy/kubernetes/base/${file}.yaml`), { merge: true }).map((document) =>
    pods.parse(document.toJS()),
  ),
);

describe('in Kubernetes', () => {
  const [create = []] = of('kubectl', 'create', 'secret');

  test('the secret that is made has every file that a pod reads, and no other', () => {
    const made = create.flatMap((word) => /^--from-file=secrets\/(.+)$/.exec(word)?.[1] ?? []);
    const environments = objects.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
    const read = environments.flatMap(({ env }) =>
      env.flatMap(({ value }) => /^\/run\/secrets\/durable-payments\/(.+)$/.exec(value)?.[1] ?? []),
    );
    expect(made.toSorted()).toEqual([...new Set([...read, 'temporal-api-key'])].toSorted());
    expect(textOf('deploy/kubernetes/temporal-cloud-api-key/kustomization.yaml')).toContain(
      'path: temporal-api-key',
    );
  });

  test('what a command names is there', () => {
    const [apply = []] = of('kubectl', 'apply');
    textOf(join(apply.at(-1) ?? '', 'kustomization.yaml'));
    const deployments = objects.flatMap(({ kind, metadata }) =>
      kind === 'Deployment' ? [metadata.name] : [],
    );
    const [exec = []] = of('kubectl', 'exec');
    expect(deployments.map((name) => `deployment/${name}`)).toContain(
      exec.find((word) => word.startsWith('deployment/')),
    );
  });
});

describe.each(['gateway', 'worker'] as const)('the unit of a %s', (role) => {
  const unit = readFileSync(join(root, `deploy/systemd/durable-payments-${role}@.service`), 'utf8');
  const set = [...unit.matchAll(/([A-Z_]+)=%d\/([\w-]+)/g)].map(([, name = '', file = '']) => ({
    name,
    file,
  }));

  test('gives each secret that it needs as a credential, and no other', () => {
    const required = configVariables.filter(
      ({ name, roles, secret }) =>
        secret && roles.includes(role) && !['TEMPORAL_API_KEY', 'NOTIFY_SECRETS'].includes(name),
    );
    expect(set.map(({ name }) => name).toSorted()).toEqual(
      required.map(({ name }) => `${name}_FILE`).toSorted(),
    );
    const loaded = [...unit.matchAll(/^LoadCredential=([\w-]+):/gm)].map(([, file = '']) => file);
    expect(loaded.toSorted()).toEqual(set.map(({ file }) => file).toSorted());
    for (const file of loaded) expect(textOf(page)).toContain(`\`${file}\``);
  });
});

test('the settings and units that the page names are there', () => {
  const names = new Set<string>(configVariables.map(({ name }) => name));
  const [settings = ''] = codeBlocks(page, 'text').map(({ code }) => code);
  for (const [, name = ''] of settings.matchAll(/^(\w+)=/gm))
    expect(names.has(name) || name.startsWith('TEMPORAL_TLS'), name).toBe(true);
  const units = readdirSync(join(root, 'deploy/systemd'));
  const [enable = []] = of('systemctl', 'enable');
  const started = enable.filter((word) => word.includes('@'));
  expect(started.length).toBeGreaterThan(1);
  for (const name of started) expect(units).toContain(`${name.replace(/@\d+$/, '@')}.service`);
});
