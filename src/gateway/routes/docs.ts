import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { problem } from '../../contract/http/problem.js';
import type { GatewayApp } from '../app.js';

/** GET /openapi.json and the reference at /docs. Register before the routes that it shows. */
export async function docsRoutes(app: GatewayApp): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'durable-payments',
        version: '1',
        description: 'Orders and payouts that never charge or pay twice. Each start is safe to send again.',
      },
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
    },
    transform: createJsonSchemaTransform({}),
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}

const problemAnswer = {
  description: 'What is wrong, as RFC 9457 has it',
  content: { 'application/problem+json': { schema: problem } },
};

/** Says of each route of a scope that it takes an API key, and how its errors look. */
export function documentRoutes(app: GatewayApp): void {
  app.addHook('onRoute', (route) => {
    const { response } = route.schema ?? {};
    route.schema = {
      ...route.schema,
      security: [{ apiKey: [] }],
      response: { ...(response ?? {}), '4xx': problemAnswer, '5xx': problemAnswer },
    };
  });
}
