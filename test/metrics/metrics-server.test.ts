import { connect, type Socket } from 'node:net';
import { Gauge, Registry } from 'prom-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  serveMetrics,
  type MetricsServerLimits,
  type ServedMetrics,
} from '../../src/metrics/metrics-server.js';
import { ownPort } from '../support/own-port.js';
import { waiting } from '../support/waiting.js';

const ask = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';
const generous: MetricsServerLimits = { connections: 50, totalMs: 600_000 };

/** A server whose metrics are rendered when the test says so, and how often that was begun. */
async function slowServer(limits: Partial<MetricsServerLimits> = {}, first = 'of_the_sdk 1') {
  let render: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    render = resolve;
  });
  let begun = 0;
  const registry = new Registry();
  new Gauge({
    ...{ name: 'ours', help: 'Ours.', registers: [registry] },
    collect: async () => {
      begun += 1;
      await told;
    },
  });
  const texts = [first];
  const text = () => Promise.resolve(texts.shift() ?? 'of_the_sdk 1');
  const port = await serve({ registry, sdk: { text } }, limits);
  return { port, render: () => render(), begun: () => begun };
}

async function serve(metrics: ServedMetrics, limits: Partial<MetricsServerLimits>): Promise<number> {
  const port = await ownPort();
  onTestFinished(await serveMetrics({ host: '127.0.0.1', port }, metrics, { ...generous, ...limits }));
  return port;
}

function connection(port: number, sent: string) {
  const socket: Socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  let isClosed = false;
  socket
    .on('data', (chunk: Buffer) => (text += chunk.toString()))
    .on('error', () => undefined)
    .on('close', () => (isClosed = true));
  socket.write(sent);
  return { socket, text: () => text, isClosed: () => isClosed };
}

const answersIn = (text: string) => text.match(/HTTP\/1\.1 200 /g)?.length ?? 0;
const answered = async (port: number) => {
  try {
    return (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).ok;
  } catch {
    return false;
  }
};

test('metrics are rendered once for all that ask while they are, and anew for whoever asks later', async () => {
  const { port, render, begun } = await slowServer();
  const { text } = connection(port, ask.repeat(20));
  await vi.waitUntil(() => begun() > 0, waiting);
  render();
  await vi.waitUntil(() => answersIn(text()) === 20, waiting);
  expect(begun()).toBe(1);
  expect(text().match(/^of_the_sdk 1/gm)).toHaveLength(20);
  expect(await answered(port)).toBe(true);
  expect(begun()).toBe(2);
});

test('metrics that can not be rendered are answered 500, and rendered again for whoever asks later', async () => {
  let fails = true;
  const text = () => (fails ? Promise.reject(new Error('secret words')) : Promise.resolve(''));
  const port = await serve({ registry: new Registry(), sdk: { text } }, {});
  const failed = await fetch(`http://127.0.0.1:${String(port)}/metrics`);
  expect([failed.status, await failed.text()]).toEqual([500, '']);
  fails = false;
  expect(await answered(port)).toBe(true);
});

test('a connection more than the server of metrics may have is closed without an answer', async () => {
  const { port, render, begun } = await slowServer({ connections: 2 });
  const kept = [connection(port, ask), connection(port, ask)];
  await vi.waitUntil(() => begun() > 0, waiting);
  await vi.waitUntil(() => kept.every(({ socket }) => !socket.connecting), waiting);
  const further = connection(port, ask);
  await vi.waitUntil(further.isClosed, waiting);
  expect(further.text()).toBe('');
  render();
  await vi.waitUntil(() => kept.every(({ text }) => answersIn(text()) === 1), waiting);
});

test.for<[string, string, string?]>([
  ['sends nothing', ''],
  ['never ends its request', 'GET /metrics HTTP/1.1\r\nHost: '],
  ['does not read its answer', ask, 'x'.repeat(20_000_000)],
])(
  'a connection that %s is closed after its time, and leaves its place to another',
  async ([, sent, text]) => {
    const { port, render } = await slowServer({ connections: 1, totalMs: 500 }, text);
    render();
    const { socket } = connection(port, sent);
    socket.pause();
    await vi.waitUntil(() => !socket.connecting, waiting);
    await vi.waitUntil(() => answered(port), waiting);
  },
);

test('an answer that is not ready in time closes its connection', async () => {
  const { port } = await slowServer({ totalMs: 200 });
  const { isClosed, text } = connection(port, ask);
  await vi.waitUntil(isClosed, waiting);
  expect(text()).toBe('');
});
