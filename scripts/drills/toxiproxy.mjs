import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSupervised } from '../../dist/src/dev/embedded-temporal/supervised-process.js';
import { freePort } from '../../dist/src/dev/free-port.js';
import { goTool } from '../deployment/go-tool.mjs';

const module = 'github.com/Shopify/toxiproxy/v2/cmd/server@v2.12.0';

/** What can be wrong with a link; each is put on it and taken off by its name. */
export const faults = {
  latency: slow('latency', { latency: 1_500, jitter: 1_000 }),
  bandwidth: slow('bandwidth', { rate: 2 }),
  reset_peer: slow('reset_peer', { timeout: 100 }),
  timeout: slow('timeout', { timeout: 0 }),
  slicer: slow('slicer', { average_size: 40, size_variation: 20, delay: 5_000 }),
  flapping: {
    begin: (proxy) => {
      let isUp = true;
      const timer = setInterval(() => void proxy.enable((isUp = !isUp)), 700);
      return async () => {
        clearInterval(timer);
        await proxy.enable(true);
      };
    },
  },
};

/** Of both directions: requests are late or lost, or their answers. */
function slow(type, attributes) {
  return {
    begin: async (proxy) => {
      for (const stream of ['upstream', 'downstream']) await proxy.poison({ type, stream, attributes });
      return () => proxy.heal();
    },
  };
}

/** Toxiproxy as a process, with a proxy for each link: `{ name: 'host:port' }` is where each leads. */
export async function startProxies(links, onProgress) {
  const program = await goTool(module, process.env, onProgress);
  const port = await freePort(0);
  const api = `http://127.0.0.1:${String(port)}`;
  const server = await startSupervised(program, ['-host', '127.0.0.1', '-port', String(port)], {});
  while (!(await fetch(`${api}/version`).catch(() => undefined))?.ok) await sleep(50);
  const proxies = {};
  for (const [name, upstream] of Object.entries(links)) {
    const listen = `127.0.0.1:${String(await freePort(0))}`;
    await call(api, 'POST', '/proxies', { name, listen, upstream, enabled: true });
    proxies[name] = proxyOf(api, name, listen);
  }
  return { ...proxies, stop: () => server.stop() };
}

function proxyOf(api, name, address) {
  return {
    name,
    address,
    enable: (enabled) => call(api, 'POST', `/proxies/${name}`, { enabled }),
    poison: ({ type, stream, attributes }) =>
      call(api, 'POST', `/proxies/${name}/toxics`, { name: `${type}-${stream}`, type, stream, attributes }),
    heal: async () => {
      for (const toxic of await call(api, 'GET', `/proxies/${name}/toxics`))
        await call(api, 'DELETE', `/proxies/${name}/toxics/${toxic.name}`);
    },
  };
}

async function call(api, method, path, body) {
  const answer = await fetch(api + path, { method, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
