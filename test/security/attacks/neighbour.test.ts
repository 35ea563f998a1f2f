import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, readlink, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadOrGenerateKeys } from '../../../src/config.js';
import { connectClient, plainTarget } from '../../../src/temporal/connection.js';
import { createDataConverter } from '../../../src/temporal/data-converter.js';
import { cacheDir } from '../../../src/dev/embedded-temporal/cache-dir.js';
import { startEmbeddedTemporal } from '../../../src/dev/embedded-temporal/server.js';
import type { EmbeddedTemporal } from '../../../src/dev/embedded-temporal/server.js';
import { freePort } from '../../../src/dev/free-port.js';

const secretPath = '/codec-nobody-may-guess-this';
const secrets = {
  API_KEYS: 'name:a-key-of-the-gateway',
  PAYLOAD_KEYS: 'k1:a-payload-key',
  ANY_OTHER: 'more',
};

let home: string;
let dataDir: string;
let server: EmbeddedTemporal;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'neighbour-'));
  dataDir = join(home, 'data');
  execFileSync('mkdir', ['-m', '0755', dataDir]);
  server = await startEmbeddedTemporal({
    storage: { dataDir },
    env: { ...process.env, ...secrets },
    port: await freePort(0),
    uiPort: await freePort(0),
    uiCodecEndpoint: `http://127.0.0.1:8080${secretPath}`,
  });
});
afterAll(async () => {
  await server.stop();
  await rm(home, { recursive: true });
});

describe('a web page on another origin, and any user of the machine', () => {
  const hosts = ['evil.example', 'localhost', '127.0.0.1', '127.0.0.1:7233', 'none', ''];
  const attempts = hosts.flatMap((host) =>
    ['text/plain', 'application/json'].map((type) => [host, type] as const),
  );

  test.for(attempts)(
    'starts nothing by a POST for Host %j as %s, on any port of the program',
    async ([host, type]) => {
      const ports = await listeningPorts(server.pid);
      expect(ports.length).toBeGreaterThan(3);
      const body = JSON.stringify({
        ...{ workflowType: { name: 'payout' }, taskQueue: { name: 'payments' } },
        ...{ input: [{ method: 'pix', value: 9_999.99 }], requestId: 'r' },
      });
      const path = '/api/v1/namespaces/default/workflows/payout-x';
      for (const port of ports) {
        const headers = { host, 'content-type': type, origin: 'https://evil.example' };
        for (const where of [path, path.replace('/api/v1', ''), path.replace('/v1', '')])
          expect((await post(port, where, headers, body)).status, String(port)).not.toBe(200);
      }
      expect(await workflows()).toEqual([]);
    },
  );

  test('reads nothing by the HTTP API, on any port of the program but the Web UI’s', async () => {
    const uiPort = Number(new URL(server.uiUrl).port);
    for (const port of (await listeningPorts(server.pid)).filter((each) => each !== uiPort)) {
      for (const host of ['evil.example', 'localhost', '127.0.0.1']) {
        const answer = await post(port, '/api/v1/namespaces/default/workflows', { host }, '', 'GET');
        expect(answer.body).not.toContain('executions');
        expect(answer.status).not.toBe(200);
      }
    }
  });
});

describe('another user of the machine', () => {
  test('sees no secret in any command line', async () => {
    const lines = await Promise.all(
      (await processIds()).map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    expect(lines.some((line) => line.includes('start-dev'))).toBe(true);
    for (const line of lines) expect(line).not.toContain(secretPath);
  });

  test('looks into no directory and no file of payments', async () => {
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'temporal-settings.yaml'))).mode & 0o777).toBe(0o600);
    const { file } = loadOrGenerateKeys(join(home, 'keys'));
    expect((await stat(join(file, '..'))).mode & 0o777).toBe(0o700);
  });

  test('can put no program where Temporal’s is looked for', () => {
    expect(cacheDir({ XDG_CACHE_HOME: '/home/me/cache' })).toBe('/home/me/cache/durable-payments');
    for (const env of [
      {},
      { HOME: '' },
      { HOME: '/' },
      { XDG_CACHE_HOME: 'relative' },
      { XDG_CACHE_HOME: '' },
    ])
      expect(cacheDir(env).startsWith(tmpdir())).toBe(false);
  });
});

test('the program gets the environment that it needs, and no secret', async () => {
  const environment = await readFile(`/proc/${String(server.pid)}/environ`, 'utf8');
  const names = environment.split('\0').flatMap((entry) => entry.split('=')[0] ?? []);
  expect(names).toContain('PATH');
  for (const name of Object.keys(secrets)) expect(names).not.toContain(name);
});

test('the Web UI has its codec all the same', async () => {
  const settings = await post(Number(new URL(server.uiUrl).port), '/api/v1/settings', {}, '', 'GET');
  expect(settings.body).toContain('Codec');
  expect(settings.body).toContain(secretPath);
});

async function workflows(): Promise<string[]> {
  const opened = await connectClient(plainTarget(server.address), createDataConverter('none'));
  try {
    const found: string[] = [];
    for await (const { workflowId } of opened.client.workflow.list()) found.push(workflowId);
    const payout = opened.client.workflow.getHandle('payout-x').describe();
    await expect(payout).rejects.toThrow(/not found/i);
    return found.filter((id) => !id.startsWith('temporal-sys-'));
  } finally {
    await opened.close();
  }
}

function post(
  port: number,
  path: string,
  headers: Record<string, string>,
  body: string,
  method = 'POST',
): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, timeout: 5_000 }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('close', () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    sent.on('timeout', () => sent.destroy());
    // Ports that speak no HTTP hang up.
    sent.on('error', () => resolve({ status: 0, body: '' }));
    sent.end(body);
  });
}

async function processIds(): Promise<string[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
}

/** The ports that a process listens on, by the sockets it has open. */
async function listeningPorts(pid: number): Promise<number[]> {
  const fds = await readdir(`/proc/${String(pid)}/fd`);
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${String(pid)}/fd/${fd}`).catch(() => '')));
  const sockets = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const ports = tables
    .flatMap((text) => text.split('\n'))
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      return state === '0A' && sockets.has(inode) ? [parseInt(local.split(':')[1] ?? '', 16)] : [];
    });
  return [...new Set(ports)];
}
