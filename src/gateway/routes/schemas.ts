import { z } from 'zod';
import { jsonSchemaOf, publishedSchemas } from '../../contract/schemas.js';
import type { GatewayApp } from '../app.js';
import { HttpError } from '../http/http-error.js';

/** GET /schemas and /schemas/{name}: the JSON Schemas of all bodies, inputs, messages and states. */
export function schemaRoutes(app: GatewayApp): void {
  app.get('/schemas', { schema: { hide: true } }, () => ({
    schemas: Object.keys(publishedSchemas).map((name) => `/schemas/${name}`),
  }));

  app.get(
    '/schemas/:name',
    { schema: { hide: true, params: z.object({ name: z.string() }) } },
    async (request, reply) => {
      const schema = jsonSchemaOf(request.params.name);
      if (schema === undefined) {
        throw new HttpError(
          404,
          'not-found',
          'Not found',
          'There is no schema of this name; GET /schemas lists them.',
        );
      }
      return reply.header('content-type', 'application/schema+json').send(JSON.stringify(schema));
    },
  );
}
