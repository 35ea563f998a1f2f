import { createHash, timingSafeEqual } from 'node:crypto';
import replyFrom from '@fastify/reply-from';
import Fastify from 'fastify';
import type { FastifyReply } from 'fastify';
import { boundConnections } from '../../gateway/http/connections.js';

const LOOPBACK = '127.0.0.1';
const PARAMETER = 'web-ui-token';

export type WebUiOptions = {
  readonly port: number;
  /** Temporal's own Web UI, which asks nobody for a key. */
  readonly upstream: string;
  /** Whoever has it reads and commands every payment. URL-safe. */
  readonly token: string;
  /** The gateway's codec endpoint; null where nothing is encrypted. */
  readonly codecUrl: string | null;
};

export type WebUi = {
  /** What opens a page of the Web UI, such as `/namespaces/default/workflows/x`: the token is in it. */
  readonly link: (path: string) => string;
  close(): Promise<void>;
};

/** The codec endpoint that pages of the Web UI on that port ask. */
export function webUiCodec(port: number): string {
  return `http://${LOOPBACK}:${String(port)}/codec`;
}

/** A browser has some; whoever has more closes his own. */
const mostConnections = 500;
/** A request that has begun, and a connection that is silent, have so long. */
const idleMs = 60_000;

/**
 * Stands before Temporal's own Web UI. Answers only those who came by a printed link, whose token a cookie keeps, only
 * under its own name, and only to its own pages.
 */
export async function startWebUi({ port, upstream, token, codecUrl }: WebUiOptions): Promise<WebUi> {
  const host = `${LOOPBACK}:${String(port)}`;
  const origin = `http://${host}`;
  // Named by its port, for all ports of a machine share their cookies.
  const cookie = `payments-web-ui-${String(port)}`;
  const isToken = comparison(token);
  const kept = new RegExp(`(?:^|;) *${cookie}=([\\w-]{1,64})`);

  const app = Fastify({
    forceCloseConnections: true,
    connectionTimeout: idleMs,
    http: { headersTimeout: idleMs },
  });
  boundConnections(app.server, mostConnections);
  // Bodies pass through as they are.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => {
    done(null, body);
  });
  await app.register(replyFrom, { disableCache: true, disableRequestLogging: true });

  app.addHook('onRequest', async ({ headers, method, url }, reply) => {
    if (headers.host !== host || ![undefined, origin].includes(headers.origin)) return refuse(reply);
    if (method === 'GET' && isToken(tokenIn(url))) {
      void reply.header('set-cookie', `${cookie}=${token}; Path=/; HttpOnly; SameSite=Strict`);
      return goOnTo(withoutToken(url), reply);
    }
    const ownPage = [undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site']?.toString());
    return ownPage && isToken(kept.exec(headers.cookie ?? '')?.[1]) ? undefined : refuse(reply);
  });
  if (codecUrl !== null) {
    app.post<{ Params: { operation: string } }>('/codec/:operation', ({ params }, reply) =>
      reply.from(`${codecUrl}/${encodeURIComponent(params.operation)}`, {
        rewriteRequestHeaders: (_request, { cookie: _ours, origin: _page, ...headers }) => headers,
      }),
    );
  }
  app.all('/*', ({ url }, reply) =>
    reply.from(upstream + url, {
      rewriteRequestHeaders: (_request, { cookie: cookies = '', ...headers }) => ({
        ...headers,
        cookie: cookies.replace(kept, ''),
      }),
    }),
  );
  await app.listen({ host: LOOPBACK, port });
  return {
    link: (path) => `${origin}${path}?${PARAMETER}=${token}`,
    close: () => app.close(),
  };
}

function refuse(reply: FastifyReply): FastifyReply {
  const words = 'Open the Web UI by the link that durable-payments has printed: there is a token in it.\n';
  return reply.code(403).type('text/plain; charset=utf-8').send(words);
}

/** Not a redirect: a strict cookie would not follow one that another site began. */
function goOnTo(address: string, reply: FastifyReply): FastifyReply {
  const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${address.replaceAll('&', '&amp;')}">`;
  return reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(page);
}

function tokenIn(url: string): string | undefined {
  return new URL(url, 'http://web-ui').searchParams.get(PARAMETER) ?? undefined;
}

/** A path, in which nothing but `&` has to be escaped. */
function withoutToken(url: string): string {
  const address = new URL(url, 'http://web-ui');
  address.searchParams.delete(PARAMETER);
  return address.pathname.replace(/^\/+/, '/') + address.search;
}

function comparison(token: string): (text: string | undefined) => boolean {
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  const wanted = sha256(token);
  return (text) => text !== undefined && timingSafeEqual(sha256(text), wanted);
}
