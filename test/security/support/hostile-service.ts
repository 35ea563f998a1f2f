import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it reached the service. */
type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** How the service answers; it may write to the socket whatever it likes. */
export type Lie = (response: ServerResponse, asked: Asked) => void;

/** A payments service in an attacker's hands, and a stranger's server to which it leads whoever lets himself be led. */
export type HostileService = {
  readonly url: string;
  readonly strangerUrl: string;
  readonly token: string;
  /** Every request, also those for tokens and reads. */
  readonly asked: readonly Asked[];
  /** How many calls that move money have come for a code, whatever their attempt. */
  creations(partnerCode: string): number;
  /** How often anyone has connected to the stranger. */
  strangerConnections(): number;
  /** How the creating call of a code is answered, and the reads of the records that it names. */
  plan(partnerCode: string, creation: Lie, reads?: Readonly<Record<string, Lie>>): void;
  close(): Promise<void>;
};

export const json =
  (status: number, body: unknown, headers: Record<string, string | string[]> = {}): Lie =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export async function startHostileService(token: string): Promise<HostileService> {
  const asked: Asked[] = [];
  const creations = new Map<string, Lie>();
  const reads = new Map<string, Lie>();
  let strangers = 0;
  let authentications = 0;

  const stranger = createServer((_request, response) => {
    response.end('{"id":"stolen","status":"done"}');
  });
  stranger.on('connection', () => (strangers += 1));
  const strangerUrl = await listen(stranger);

  const service = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const each = { method, path, headers, body };
      asked.push(each);
      lieFor(each)(response, each);
    });
  });

  // Whoever has received enough breaks off.
  service.on('connection', (socket) => socket.on('error', () => undefined));

  function lieFor({ method, path, body }: Asked): Lie {
    if (path === '/v1/auth') {
      authentications += 1;
      // The first time it leads whoever shows it the client secret elsewhere.
      const elsewhere = json(307, '', { location: `${strangerUrl}/v1/auth` });
      return authentications === 1 ? elsewhere : json(200, { token, expire_minutes: '1e400' });
    }
    if (path.startsWith('/v1/payouts')) return json(200, { payouts: [], total_pages: 0, current_page: 1 });
    const id = /^\/v1\/(?:payout|order)\/([^/]+)$/.exec(path)?.[1];
    if (method === 'GET') return reads.get(decodeURIComponent(id ?? '')) ?? json(404, { message: 'none' });
    return creations.get(codeIn(body)) ?? json(500, '');
  }

  const url = await listen(service);
  return {
    ...{ url, strangerUrl, token, asked },
    creations: (code) =>
      asked.filter(
        ({ method, path, body }) => method !== 'GET' && path !== '/v1/auth' && codeIn(body) === code,
      ).length,
    strangerConnections: () => strangers,
    plan: (code, creation, readsOf = {}) => {
      creations.set(code, creation);
      for (const [id, lie] of Object.entries(readsOf)) reads.set(id, lie);
    },
    close: async () => {
      await Promise.all([close(service), close(stranger)]);
    },
  };
}

/** The code of a payment, whichever of its attempts is sent. */
function codeIn(body: string): string {
  return /"partner_code":"([^"]+?)(?:-r\d+)?"/.exec(body)?.[1] ?? '';
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${String(port)}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
}
