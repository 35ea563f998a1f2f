import { Client, Pool } from 'undici';
import { exchange, type Exchange, type HttpRequest } from './exchange.js';
import { connectorPastContinue } from './interim-answers.js';
import type { CallLimits } from './limits.js';

/** How requests reach one origin. TLS is always verified, nothing is redirected or repeated, no proxy is used. */
export type Transport = {
  /** Over kept connections: for calls that may be repeated. */
  read(request: HttpRequest): Promise<Exchange>;
  /** Over a connection of its own, which the other side cannot be about to close. */
  send(request: HttpRequest): Promise<Exchange>;
  close(): Promise<void>;
};

const maxReadConnections = 32;
/** Four times what Node takes: proxies add theirs. */
const maxHeaderBytes = 65_536;
/** Below the idle times that servers and balancers usually have. */
const keepAliveMs = 4_000;

export function createTransport(origin: string, limits: CallLimits): Transport {
  const connect = { rejectUnauthorized: true, timeout: limits.connectMs, allowH2: false };
  const options = {
    connect,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyMs,
    maxHeaderSize: maxHeaderBytes,
    maxResponseSize: limits.maxAnswerBytes,
    allowH2: false,
  };
  const kept = new Pool(origin, {
    ...options,
    connections: maxReadConnections,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
  });

  return {
    read: (request) => exchange(kept, request, limits),
    send: async (request) => {
      const own = new Client(origin, { ...options, connect: connectorPastContinue(connect), pipelining: 0 });
      try {
        return await exchange(own, request, limits);
      } finally {
        await own.destroy();
      }
    },
    close: () => kept.destroy(),
  };
}
