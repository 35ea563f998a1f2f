import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { deploy } from '../../processes/support/deployment.js';
import { createOms, pixPayout } from '../../processes/support/oms.js';
import { runProgram } from '../../processes/support/program.js';
import { ownPort } from '../../support/own-port.js';
import { waiting } from '../../support/waiting.js';
import { unreadPipe } from '../support/unread-pipe.js';

const refusedRequests = 500;
const atOnce = 20;
const auditLine = z.object({
  stream: z.literal('audit'),
  key: z.string().nullable(),
  command: z.string(),
  outcome: z.string(),
  workflow_id: z.string().optional(),
  times: z.int().optional(),
});
const readiness = z.object({ problems: z.array(z.object({ check: z.string() })) });

/** A program whose standard output is full before it has written a line. */
function runUnread(args: readonly string[], env: Readonly<Record<string, string>>) {
  const pipe = unreadPipe();
  const program = runProgram(args, env, undefined, pipe.fd);
  onTestFinished(async () => {
    await program.end('SIGKILL');
    pipe.close();
  });
  return { program, pipe };
}

function auditLines(text: string) {
  const lines = text.split('\n').filter((line) => line.includes('"stream":"audit"'));
  return lines.map((line) => auditLine.parse(JSON.parse(line)));
}

/** What the metrics of a process count. */
async function unreadLines(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^durable_payments_output_unread (\d+)$/m.exec(text)?.[1]);
}

test('a gateway and a worker whose log nobody reads go on, say so, and tell all of it to whoever reads again', async () => {
  const deployment = await deploy();
  onTestFinished(() => deployment.close());
  const { url, env } = deployment;
  const apiKey = randomBytes(16).toString('hex');
  const oms = createOms(url, apiKey);
  const stranger = createOms(url, 'guessed-key');
  const metricsPort = String(await ownPort());
  const worker = runUnread(['worker'], { ...env, METRICS_PORT: metricsPort });
  const gateway = runUnread(['gateway'], {
    ...env,
    GATEWAY_PORT: new URL(url).port,
    API_KEYS: `shop:${apiKey}:oms`,
    POLL_SCALE: '0.02',
  });
  const isUp = () => fetch(`${url}/healthz`).then(({ ok }) => ok);
  await vi.waitUntil(() => isUp().catch(() => false), waiting);

  for (let sent = 0; sent < refusedRequests; sent += atOnce) {
    const answers = await Promise.all(
      Array.from({ length: atOnce }, () => stranger.post('/v1/payouts/pix', {})),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  }
  expect(await isUp()).toBe(true);
  await oms.post('/v1/payouts/pix', pixPayout('unread'));
  await oms.until('/v1/payouts/unread', 'done');

  const ready = async () => {
    const response = await fetch(`${url}/readyz`);
    const { problems } = readiness.parse(await response.json());
    const isNamed = problems.some(({ check }) => check === 'output');
    if (isNamed) expect(response.status).toBe(503);
    return isNamed ? 'unread' : 'read';
  };
  await vi.waitUntil(async () => (await ready()) === 'unread', waiting);
  const workerUrl = `http://127.0.0.1:${metricsPort}`;
  for (const each of [url, workerUrl]) expect(await unreadLines(each), each).toBeGreaterThan(0);
  await vi.waitUntil(() => gateway.pipe.read().includes('payout-unread'), waiting);
  await vi.waitUntil(async () => gateway.pipe.read() !== '' && (await ready()) === 'read', waiting);
  await vi.waitUntil(async () => gateway.pipe.read() !== '' && (await unreadLines(url)) === 0, waiting);
  expect(await unreadLines(workerUrl)).toBeGreaterThan(0);

  // The worker is stopped while nobody reads what it has to say.
  const stopped = await Promise.all([gateway.program.end('SIGTERM'), worker.program.end('SIGTERM')]);
  expect(stopped).toEqual(Array(2).fill({ code: 0, signal: null }));
  const lines = auditLines(gateway.pipe.read());
  expect(lines).toContainEqual(
    expect.objectContaining({ key: 'shop', workflow_id: 'payout-unread', outcome: 'started' }),
  );
  const refused = lines.filter(({ outcome }) => outcome === 'unauthorized');
  expect(refused.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(refusedRequests);
  expect(refused.length).toBeLessThan(refusedRequests / 20);
});
