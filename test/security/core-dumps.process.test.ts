import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { ownPort } from '../support/own-port.js';
import { onKernel } from '../support/tools.js';
import { findings, planted, plantedWords } from './support/secrets.js';
import { newKey } from './support/stage.js';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const key = 'core-key-0123456789abcdef';
const words = plantedWords();
const pan = [planted('pan', words.pan)];

/** Where a core dump becomes a file in the directory of its process: not on every machine. */
const leavesCoreDumps = (() => {
  try {
    return /^core(\.%p)?$/.test(readFileSync('/proc/sys/kernel/core_pattern', 'utf8').trim());
  } catch {
    return false;
  }
})();

type Gateway = { readonly pid: number; abort(): Promise<Buffer[]> };

/** A process that may leave core dumps of such a size. */
async function running(role: 'gateway' | 'worker', coreSize: 'unlimited' | '0') {
  const dir = await mkdtemp(join(tmpdir(), 'core-dumps-'));
  const port = String(await ownPort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn('sh', ['-c', `ulimit -c ${coreSize} && exec "$0" "$@"`, process.execPath, main, role], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...{ PATH: process.env.PATH, HOME: dir, TEMPORAL_ADDRESS: inject('temporalAddress') },
      ...{ PAYMENTS_BASE_URL: 'http://127.0.0.1:1', PAYMENTS_CLIENT_ID: 'a', PAYMENTS_CLIENT_SECRET: 'a' },
      ...{ PUBLIC_URL: url, GATEWAY_PORT: port, PAYMENTS_TASK_QUEUE: `core-dumps-${port}` },
      ...{ POSTBACK_KEYS: newKey('a'), PAYLOAD_KEYS: newKey('b'), API_KEYS: `shop:${key}:oms` },
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(dir, { recursive: true });
  });
  await expect.poll(() => output).toContain(`${role} is running`);
  return { dir, url, child, ended, pid: child.pid ?? 0 };
}

/** A gateway that holds a card. */
async function gatewayWithCard(coreSize: 'unlimited' | '0'): Promise<Gateway> {
  const { dir, url, child, ended, pid } = await running('gateway', coreSize);
  const card = {
    ...{ holder: 'ANA LIMA', number: words.pan, cvv: words.cvv, brand: 'visa' },
    due_date: `12/${String(new Date().getUTCFullYear() + 2)}`,
  };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const put = () => fetch(`${url}/v1/cards`, { method: 'POST', headers, body: JSON.stringify(card) });
  // A busy gateway answers 503: then it is sent again.
  await expect.poll(async () => (await put()).status).toBe(201);
  return {
    pid,
    abort: async () => {
      child.kill('SIGABRT');
      await ended;
      const cores = (await readdir(dir)).filter((name) => name.startsWith('core'));
      return Promise.all(cores.map((name) => readFile(join(dir, name))));
    },
  };
}

const describeCoreDumps = describe.runIf(onKernel(leavesCoreDumps));

describeCoreDumps('the core dump of a gateway that holds a card', () => {
  test('is not made where its size is limited to 0, as in compose', async () => {
    expect(await (await gatewayWithCard('0')).abort()).toEqual([]);
  });

  test('holds no card where it is made, for the memory is left out of it', async () => {
    const [core] = await (await gatewayWithCard('unlimited')).abort();
    expect(core?.length).toBeGreaterThan(0);
    expect(findings(core ?? '', pan)).toEqual([]);
  });

  test('holds the card when the memory is in it: the search finds it', async () => {
    const gateway = await gatewayWithCard('unlimited');
    await writeFile(`/proc/${String(gateway.pid)}/coredump_filter`, '33');
    const [core] = await gateway.abort();
    expect(findings(core ?? '', pan)).not.toEqual([]);
  });
});

/** What of a process's memory stands in its core dumps: nothing, where it is 0. */
const coreDumpFilter = '/proc/self/coredump_filter';

const testByFilter = test.runIf(onKernel(existsSync(coreDumpFilter)));

testByFilter('a worker leaves its memory out of core dumps, too', async () => {
  const { pid } = await running('worker', '0');
  const filter = await readFile(coreDumpFilter.replace('self', String(pid)), 'utf8');
  expect(parseInt(filter, 16)).toBe(0);
});
