// The program of `npm start` with a data directory of its own, as the pictures need it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** Starts it; answers its Web UI, a caller of its HTTP API, and how to stop it. */
export async function startProgram(dataDir) {
  const key = randomBytes(24).toString('hex');
  const ports = { gateway: await freePort(), ui: await freePort() };
  const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, 'start'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      GATEWAY_PORT: String(ports.gateway),
      TEMPORAL_UI_PORT: String(ports.ui),
      POLL_SCALE: '0.1',
      API_KEYS: `ana:${key}:oms:operator`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  await new Promise((resolve) => {
    child.once('close', resolve);
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('durable-payments.log')) resolve();
    });
  });
  const [, webUi] = /Temporal Web UI +(\S+)/.exec(output) ?? [];
  if (webUi === undefined) throw new Error(`It did not start:\n${output}`);
  return {
    call: caller(`http://127.0.0.1:${ports.gateway}`, key),
    /** The address of a page of the Web UI, with the token that opens it. */
    page: (path) => webUi.replace('/?', `/namespaces/default/${path}${path.includes('?') ? '&' : '?'}`),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function caller(origin, key) {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=30' };
    const request = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    return (await globalThis.fetch(origin + path, request)).json();
  };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
