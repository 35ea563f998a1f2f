import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { CardStore } from '../../src/card-store/card-store.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import type { GatewayDeps } from '../../src/gateway/deps.js';
import { neverOverloaded } from './never-overloaded.js';

/** A gateway on loopback, for what it answers without Temporal, which is away. */
export function gatewayWithoutTemporal(more: Partial<GatewayDeps> = {}) {
  // Nothing listens there. Without the SDK's retries, which fail outside of every test once the connection is closed.
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  const app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore('card-store-without-temporal'),
    ...{ apiKeys: [], postbackKeys: [Buffer.alloc(32, 3)], taskQueue: 'none' },
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    ...more,
    limits: { ...neverOverloaded, ...more.limits },
  });
  return {
    app,
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    close: async () => {
      await app.close();
      await connection.close();
    },
  };
}
