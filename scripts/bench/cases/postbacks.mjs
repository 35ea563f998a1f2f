import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { inFlight } from '../../in-flight.mjs';
import { postbackCapability } from '../../../dist/src/contract/postback-capability.js';
import { pixPayout } from '../../drills/requests.mjs';

/** Signals that the gateway has sent, by its own metrics. */
async function signals({ processes }) {
  const text = await (await fetch(`${processes.url.usual[0]}/metrics`)).text();
  return Number(/^durable_payments_postback_signals_total (\d+)/m.exec(text)?.[1]);
}

async function flood(bench, { count, connections, status, capability }) {
  const pool = new Pool(bench.processes.url.usual[0], { connections });
  const before = await signals(bench);
  await inFlight(count, connections, async () => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: `/postbacks/${capability()}`,
      headers: { 'content-type': 'application/json' },
      body: '{"status":"claimed"}',
    });
    await body.dump();
    if (statusCode !== status) throw new Error(`A postback was answered ${String(statusCode)}.`);
  });
  await pool.destroy();
  return { count, signals: (await signals(bench)) - before };
}

/** Of someone who has no key: nothing of it reaches Temporal. */
export const forged = {
  name: 'forged',
  title: 'forged postbacks',
  run: async (bench, { postbacks: count }) => {
    const id = Buffer.from('payout-someone-elses').toString('base64url');
    const capability = () => `${id}.${randomBytes(32).toString('base64url')}`;
    const flooded = await flood(bench, { count, connections: 50, status: 404, capability });
    if (flooded.signals !== 0) throw new Error('A forged postback has reached Temporal.');
    return flooded;
  },
};

/** The same genuine one again and again: more at once than the gateway lets wait for their signal. */
export const duplicates = {
  name: 'duplicates',
  title: 'genuine duplicates of a postback',
  prepare: async (bench) => {
    const code = bench.freshCode();
    await bench.usual.startPayout({ method: 'pix', ...pixPayout(code, { tags: ['stuck'] }) });
    return `payout-${code}`;
  },
  run: (bench, { postbacks: count }, workflowId) => {
    const key = Buffer.from(bench.processes.env.POSTBACK_KEYS.split(':')[1], 'base64');
    const genuine = postbackCapability([key], workflowId);
    return flood(bench, { count, connections: 1_500, status: 200, capability: () => genuine });
  },
};
