import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listening } from '../support/listening.js';

export type Behaviour = (socket: Socket, request: string) => void;

/** A server on loopback that can behave as badly as a test wants, and counts what really reaches it. */
export async function startRawServer(
  behave: Behaviour,
  onConnection: (socket: Socket) => void = () => undefined,
) {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const enders: (() => void)[] = [];
  let connections = 0;
  let received = '';
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let pending = '';
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      for (const ended of enders.splice(0)) ended();
    });
    socket.on('data', (chunk: string) => {
      received += chunk;
      pending += chunk;
      const request = wholeRequest(pending);
      if (request === undefined) return;
      pending = pending.slice(request.length);
      requests.push(request);
      behave(socket, request);
    });
    onConnection(socket);
  });
  const { url } = await listening(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return {
    url,
    connections: () => connections,
    /** Every whole request, as its bytes came. */
    requests,
    /** All bytes that any connection has brought, also those of broken requests. */
    received: () => received,
    /** Resolves when a connection of the other side has ended. */
    nextEnd: () => new Promise<void>((resolve) => enders.push(resolve)),
  };
}

function wholeRequest(text: string): string | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  const end = headEnd + 4 + length;
  return text.length < end ? undefined : text.slice(0, end);
}

/** Answers a whole response; the connection stays open, as servers do. */
export function answers(status: number, body = '', headers: Record<string, string> = {}): Behaviour {
  return (socket) => {
    socket.write(response(status, body, headers));
  };
}

export function response(status: number, body: string, headers: Record<string, string> = {}): string {
  const all = { 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} Whatever\r\n${status === 204 ? '' : lines.join('')}\r\n${body}`;
}

/** The JSON body of a raw request. */
export function bodyOf(request: string | undefined): unknown {
  return JSON.parse(Buffer.from(request?.split('\r\n\r\n')[1] ?? '', 'latin1').toString('utf8'));
}
