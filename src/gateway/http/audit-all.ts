import type { FastifyRequest } from 'fastify';
import type { GatewayApp } from '../app.js';

/**
 * Leaves no POST of a scope out of the audit stream: what was refused before its handler, what was broken off, and what
 * writes no line of its own.
 */
export function auditAll(app: GatewayApp): void {
  app.addHook('onResponse', (request, reply, done) => {
    auditOnce(request, request.problem ?? (reply.statusCode < 400 ? 'accepted' : 'failed'));
    done();
  });
  // One that is broken off has no response.
  app.addHook('onRequest', (request, { raw: response }, done) => {
    const end = () => auditOnce(request, request.problem ?? 'broken off');
    if (response.destroyed) end();
    else response.once('close', end);
    done();
  });
}

function auditOnce(request: FastifyRequest, outcome: string): void {
  if (request.method === 'POST' && !request.isAudited)
    request.audit({ command: commandOf(request), outcome });
}

function commandOf({ method, routeOptions: { config, schema, url = '' } }: FastifyRequest): string {
  return config.command ?? schema?.operationId ?? `${method} ${url}`;
}
