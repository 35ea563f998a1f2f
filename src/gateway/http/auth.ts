import type { FastifyRequest } from 'fastify';
import type { GatewayApp } from '../app.js';
import { ApiKeys } from './api-keys.js';
import type { ApiKey, Scope } from './api-keys.js';
import type { AuditLog } from '../../audit/audit-log.js';
import { HttpError } from './http-error.js';
import { RefusalSums } from './sum-refusals.js';

/**
 * Identifies the caller of each request by its API key, null when no key was sent or none matches, and lets the request
 * write to the audit stream.
 */
export function identifyCallers(app: GatewayApp, keys: readonly ApiKey[], audit: AuditLog): void {
  const apiKeys = new ApiKeys(keys);
  const sums = new RefusalSums(audit);
  app.addHook('onClose', () => sums.flush());
  app.decorateRequest('caller', null);
  app.decorateRequest('workflowId', null);
  app.decorateRequest('problem', null);
  app.decorateRequest('isAudited', false);
  app.decorateRequest('audit', function (this: FastifyRequest, entry) {
    this.isAudited = true;
    sums.write({ key: this.caller?.name ?? null, address: this.ip, ...entry });
  });
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = apiKeys.callerOf(request.headers.authorization) ?? null;
    done();
  });
}

/** What has to do with payments is not for keys that only decode. */
const anyPaymentScope: readonly Scope[] = ['oms', 'operator'];

/** Lets only known callers in, before the body is read. After the rate limit, so that guessing is slow. */
export function requireCaller(app: GatewayApp): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { caller } = request;
    const { scopes = anyPaymentScope } = request.routeOptions.config;
    const command = `${request.method} ${request.routeOptions.url ?? ''}`;
    if (caller === null) {
      request.audit({ command, outcome: 'unauthorized' });
      const detail = 'Send Authorization: Bearer <key> with a key of API_KEYS. Nothing was done.';
      done(new HttpError(401, 'unauthorized', 'Unauthorized', detail));
    } else if (!scopes.some((scope) => caller.scopes.includes(scope))) {
      request.audit({ command, outcome: 'forbidden' });
      const detail = `This takes a key with the scope ${scopes.join(' or ')}. Nothing was done.`;
      done(new HttpError(403, 'forbidden', 'Forbidden', detail));
    } else {
      done(null, payload);
    }
  });
}
