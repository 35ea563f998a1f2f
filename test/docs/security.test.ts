import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { CardStore } from '../../src/card-store/card-store.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { tableRows, textOf } from './markdown.js';

const rows = tableRows(textOf('docs/event-loop.md'), 'route');

test('what one request can take is measured for each route of the gateway, and nothing takes more than 100 ms', async ({
  onTestFinished,
}) => {
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  const codec = new EncryptionCodec(parseKeyRing(testPayloadKeys));
  const app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore('card-store-of-docs'),
    ...{ apiKeys: [], postbackKeys: [Buffer.alloc(32, 3)], taskQueue: 'none' },
    codec: { ...{ codec, path: '/codec', origins: [] }, auth: 'bearer' },
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
  });
  onTestFinished(async () => {
    await app.close();
    await connection.close();
  });
  const routes = new Set<string>();
  app.addHook('onRoute', ({ method, url }) => {
    // Those of several methods answer 405.
    if (method === 'GET' || method === 'POST') routes.add(`\`${method} ${url}\``);
  });
  await app.ready();
  expect(rows.map(([route]) => route).sort()).toEqual([...routes].sort());
  for (const [route = '', , eventLoop = ''] of rows) {
    expect(eventLoop, route).toMatch(/^\d+ ms$/);
    expect(parseInt(eventLoop), route).toBeLessThanOrEqual(100);
  }
});
