import { expect, test } from 'vitest';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';
import { gatewayWithoutTemporal } from '../support/gateway-without-temporal.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { tableRows, textOf } from './markdown.js';

const rows = tableRows(textOf('docs/event-loop.md'), 'route');

test('what one request can take is measured for each route of the gateway, and nothing takes more than 100 ms', async ({
  onTestFinished,
}) => {
  const codec = new EncryptionCodec(parseKeyRing(testPayloadKeys));
  const endpoint = { ...{ codec, path: '/codec', origins: [] }, auth: 'bearer' as const };
  const { app, close } = gatewayWithoutTemporal({ codec: endpoint });
  onTestFinished(close);
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
