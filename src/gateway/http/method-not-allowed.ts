import type { HTTPMethods } from 'fastify';
import type { GatewayApp } from '../app.js';
import { HttpError } from './http-error.js';

/** OPTIONS is for preflights, which the codec answers by itself. */
const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers 405 with `Allow` where an address exists and takes other methods. Returns what registers that, to be called
 * when all routes of the scope are there.
 */
export function refuseOtherMethods(app: GatewayApp): () => void {
  const taken = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    // Static files, and second forms of an address.
    if (/[*/]$/.test(url)) return;
    const known = taken.get(url) ?? new Set();
    for (const each of [method].flat()) known.add(each);
    taken.set(url, known);
  });
  return () => {
    for (const [url, known] of [...taken]) {
      const others = methods.filter((method) => !known.has(method));
      if (others.length > 0) refuse(app, url, others, [...known]);
    }
  };
}

function refuse(app: GatewayApp, url: string, others: HTTPMethods[], allow: readonly string[]): void {
  const refusal = () =>
    new HttpError(
      405,
      'method-not-allowed',
      'Method not allowed',
      `This address takes ${allow.join(', ')}. Nothing was done.`,
      { allow },
    );
  app.route({
    url,
    method: others,
    exposeHeadRoute: false,
    schema: { hide: true },
    // Before a byte of the body is waited for.
    onRequest: (_request, _reply, done) => {
      done(refusal());
    },
    handler: () => {
      throw refusal();
    },
  });
}
