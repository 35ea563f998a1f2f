// The gateway that event-loop.mjs measures, in a process of its own.
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { setImmediate } from 'node:timers';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { CardStore } from '../../dist/src/card-store/card-store.js';
import { createGateway } from '../../dist/src/gateway/create-gateway.js';
import { EncryptionCodec } from '../../dist/src/temporal/payload-codec.js';
import { createDataConverter } from '../../dist/src/temporal/data-converter.js';
import { parseKeyRing } from '../../dist/src/temporal/key-ring.js';

const [key] = process.argv.slice(2);
const ring = parseKeyRing(`bench:${randomBytes(32).toString('base64')}`);
const routes = [];
const app = createGateway({
  client: new Client({
    connection: Connection.lazy({ address: '127.0.0.1:1' }),
    dataConverter: createDataConverter(ring),
  }),
  cardStore: new CardStore('card-store-bench'),
  apiKeys: [{ name: 'bench', key, scopes: ['oms', 'operator', 'codec'] }],
  postbackKeys: [randomBytes(32)],
  codec: { codec: new EncryptionCodec(ring), path: '/codec', auth: 'bearer', origins: [] },
  logger: pino({ level: 'silent' }),
  audit: () => undefined,
  taskQueue: 'bench',
  limits: { temporalCallMs: 20, eventLoopDelayMs: 1e9 },
});
app.addHook('onRoute', ({ method, url }) => {
  // Those of several methods answer 405.
  if (!Array.isArray(method) && method !== 'HEAD' && method !== 'OPTIONS') routes.push(`${method} ${url}`);
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
// By processor time, for others work on this machine: turn after turn, the longest counts.
let longest = 0;
let last = used();
setImmediate(function turn() {
  const now = used();
  longest = Math.max(longest, now - last);
  last = now;
  setImmediate(turn);
});
process.on('message', (what) => {
  // Some turns later, so that what stopped the loop last is counted.
  setTimeout(() => {
    process.send({ ms: longest });
    if (what === 'reset') longest = 0;
  }, 5);
});

function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
process.on('disconnect', () => process.exit());
process.send({ url, routes: [...new Set(routes)] });
