// The gateway that is measured, in a process of its own, with a Temporal that answers as much as it may. It reports its
// routes with the limits and schemas that they were registered with, and for how long, in processor time, one turn of
// its event loop lasted.
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { Client } from '@temporalio/client';
import { pino } from 'pino';
import { z } from 'zod';
import { CardStore } from '../../../dist/src/card-store/card-store.js';
import { createGateway } from '../../../dist/src/gateway/create-gateway.js';
import { gatewayLimits } from '../../../dist/src/gateway/deps.js';
import { EncryptionCodec } from '../../../dist/src/temporal/payload-codec.js';
import { createDataConverter } from '../../../dist/src/temporal/data-converter.js';
import { parseKeyRing } from '../../../dist/src/temporal/key-ring.js';
import { takeLongest, watchTurns } from './longest-turn.mjs';
import { fullTemporal } from './temporal.mjs';

const [key, postbackKey] = process.argv.slice(2);
const ring = parseKeyRing(`bench:${randomBytes(32).toString('base64')}`);
const types = ['application/json', 'text/csv', 'application/x-ndjson', 'text/plain'];
const routes = new Map();
const app = createGateway({
  client: new Client({
    connection: await fullTemporal(new EncryptionCodec(ring)),
    dataConverter: createDataConverter(ring),
  }),
  cardStore: new CardStore('card-store-bench'),
  apiKeys: [{ name: 'bench', key, scopes: ['oms', 'operator', 'codec'] }],
  postbackKeys: [Buffer.from(postbackKey, 'base64')],
  codec: { codec: new EncryptionCodec(ring), path: '/codec', auth: 'bearer', origins: [] },
  logger: pino({ level: 'silent' }),
  audit: () => undefined,
  taskQueue: 'bench',
  limits: {
    ...{ temporalCallMs: 5_000, eventLoopDelayMs: 1e9 },
    ...{ requestsPerMinute: 1e9, addressRequestsPerMinute: 1e9, waitingPostbacks: 1e9 },
  },
});
app.addHook('onRoute', function ({ method, url, schema = {}, bodyLimit = gatewayLimits.bodyBytes }) {
  // Those of several methods answer 405.
  if (Array.isArray(method) || method === 'HEAD' || method === 'OPTIONS') return;
  routes.set(`${method} ${url}`, {
    route: `${method} ${url}`,
    bodyBytes: bodyLimit,
    types: method === 'GET' ? [] : typesOf(this),
    body: jsonSchema(schema.body),
    query: jsonSchema(schema.querystring),
  });
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
watchTurns();
// Some turns later, so that what stopped the loop last is counted.
process.on('message', () => setTimeout(() => process.send({ ms: takeLongest() }), 5));

/** What has none of its own takes any. */
function typesOf(scope) {
  const own = types.filter((type) => scope.hasContentTypeParser(type));
  return own.length > 0 ? own : types;
}

function jsonSchema(schema) {
  return schema instanceof z.ZodType ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : {};
}

process.on('disconnect', () => process.exit());
process.send({ url, headerBytes: gatewayLimits.headerBytes, routes: [...routes.values()] });
