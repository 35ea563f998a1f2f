import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ownPort } from '../../support/own-port.js';

/** What stands between the program and the sandbox: it sees everything, and can be worse than any sandbox. */
export type Relay = {
  readonly url: string;
  /** Every token and credential that it was shown. */
  readonly credentials: () => string[];
  readonly notificationUrls: () => string[];
  /** Refuses connections from now on. */
  down(): Promise<void>;
};

/**
 * A body that says `relay-refuses` is answered with 422 and all that was sent; one that says `relay-repeats` goes
 * through, and its answer holds all that was sent. The first read of an order is answered with 500 and its token.
 */
export async function startRelay(target: string): Promise<Relay> {
  const credentials = new Set<string>();
  const notificationUrls = new Set<string>();
  let ordersRead = 0;
  const port = await ownPort();
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { authorization = '' } = request.headers;
    credentials.add(authorization.replace(/^\w+ /, ''));
    for (const [, url] of body.matchAll(/"notification_url":"([^"]+)"/g)) notificationUrls.add(url ?? '');
    if (body.includes('relay-refuses')) {
      response.writeHead(422, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: `not this: ${body}`, authorization, sent: asJson(body) }));
      return;
    }
    if (
      request.method === 'GET' &&
      // Order 0 is read only to try a token that was refused.
      /^\/v1\/order\/(?!0$)/.test(request.url ?? '') &&
      (ordersRead += 1) === 1
    ) {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: 'not now', authorization }));
      return;
    }
    const upstream = await fetch(target + (request.url ?? ''), {
      method: request.method ?? 'GET',
      redirect: 'manual',
      headers: { authorization, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
      ...(body === '' ? {} : { body }),
    });
    const text = await upstream.text();
    response.writeHead(upstream.status, {
      'content-type': upstream.headers.get('content-type') ?? 'application/json',
      ...(upstream.headers.has('retry-after')
        ? { 'retry-after': upstream.headers.get('retry-after') ?? '' }
        : {}),
    });
    const repeats = body.includes('relay-repeats') && text.startsWith('{');
    response.end(repeats ? JSON.stringify({ ...asJson(text), authorization, sent: asJson(body) }) : text);
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String(port)}`,
    credentials: () => [...credentials].filter((credential) => credential !== ''),
    notificationUrls: () => [...notificationUrls],
    down: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function asJson(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}
