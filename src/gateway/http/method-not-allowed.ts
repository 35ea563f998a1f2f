import { METHODS } from 'node:http';
import type { HTTPMethods } from 'fastify';
import type { GatewayApp } from '../app.js';
import { HttpError } from './http-error.js';

/** All that Node reads. OPTIONS is for preflights, which the codec answers by itself; CONNECT never gets here. */
const methods: readonly HTTPMethods[] = METHODS.filter((method) => !['OPTIONS', 'CONNECT'].includes(method));

/**
 * Answers 405 with `Allow` where an address exists and takes other methods. Returns what registers that, to be called
 * when all routes of the scope are there.
 */
export function refuseOtherMethods(app: GatewayApp): () => void {
  for (const method of methods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
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
