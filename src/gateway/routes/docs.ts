import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayApp } from '../app.js';
import { HttpError } from '../http/http-error.js';
import type { OpenApiDocument } from '../openapi/document.js';

/** GET /openapi.json and the reference at /docs. Register before the routes that it shows. */
export async function docsRoutes(app: GatewayApp, document: OpenApiDocument): Promise<void> {
  await app.register(swagger, document.options);
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true, uiHooks: { onRequest: onlyJson } });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}

/** As YAML the document would be written anew for each request, in a tenth of a second in which nobody is answered. */
function onlyJson(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  if (request.routeOptions.url === '/docs/yaml')
    done(new HttpError(404, 'not-found', 'Not found', 'The document is at /openapi.json.'));
  else done();
}
