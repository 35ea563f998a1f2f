import type { GatewayApp } from '../app.js';
import { ApiKeys } from './api-keys.js';
import type { ApiKey } from './api-keys.js';
import { HttpError } from './http-error.js';

/** Identifies the caller of each request by its API key; null when no key was sent or none matches. */
export function identifyCallers(app: GatewayApp, keys: readonly ApiKey[]): void {
  const apiKeys = new ApiKeys(keys);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = apiKeys.callerOf(request.headers.authorization) ?? null;
    done();
  });
}

/** Lets only known callers in, before the body is read. After the rate limit, so that guessing is slow. */
export function requireCaller(app: GatewayApp): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { caller } = request;
    const { scopes } = request.routeOptions.config;
    if (caller === null) {
      const detail = 'Send Authorization: Bearer <key> with a key of API_KEYS. Nothing was done.';
      done(new HttpError(401, 'unauthorized', 'Unauthorized', detail));
    } else if (scopes !== undefined && !scopes.some((scope) => caller.scopes.includes(scope))) {
      const detail = `This takes a key with the scope ${scopes.join(' or ')}. Nothing was done.`;
      done(new HttpError(403, 'forbidden', 'Forbidden', detail));
    } else {
      done(null, payload);
    }
  });
}
