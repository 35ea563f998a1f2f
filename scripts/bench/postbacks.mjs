// How many forged postbacks a second one gateway refuses, over real connections, and that none of them costs a call
// to Temporal. Usage: npm run bench:postbacks [-- 1000000]
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { Pool } from 'undici';
import { CardStore } from '../../dist/src/card-store/card-store.js';
import { createGateway } from '../../dist/src/gateway/create-gateway.js';

const count = Number(process.argv[2] ?? 1_000_000);
const inFlight = 100;

let calls = 0;
const temporal = createServer((socket) => {
  calls += 1;
  socket.destroy();
});
await new Promise((resolve) => temporal.listen(0, '127.0.0.1', resolve));
const connection = Connection.lazy({ address: `127.0.0.1:${temporal.address().port}` });
const app = createGateway({
  client: new Client({ connection }),
  cardStore: new CardStore('card-desk-bench'),
  apiKeys: [],
  postbackKeys: [randomBytes(32)],
  logger: pino({ level: 'silent' }),
  taskQueue: 'none',
});
const pool = new Pool(await app.listen({ host: '127.0.0.1', port: 0 }), { connections: 20, pipelining: 10 });
const id = Buffer.from('payout-someone-elses').toString('base64url');
const answers = new Map();

const begun = performance.now();
let left = count;
await Promise.all(Array.from({ length: inFlight }, flood));
const seconds = (performance.now() - begun) / 1_000;

await pool.close();
await app.close();
await connection.close();
temporal.close();
console.log(`${count} forged postbacks in ${seconds.toFixed(1)} s: ${Math.round(count / seconds)} a second`);
console.log(`answers: ${[...answers].map(([status, times]) => `${status} × ${times}`).join(', ')}`);
console.log(`connections to Temporal: ${calls}`);
process.exitCode = calls === 0 ? 0 : 1;

async function flood() {
  while (left > 0) {
    left -= 1;
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: `/postbacks/${id}.${randomBytes(32).toString('base64url')}`,
      headers: { 'content-type': 'application/json' },
      body: '{"status":"done"}',
    });
    await body.dump();
    answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1);
  }
}
