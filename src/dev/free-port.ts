import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Listens on a port (0: any that is free) and lets it go; answers which. @throws the error of a server that can't */
export async function listenOnce(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return bound;
}

/** The preferred port (0: none) if it is free on `host`, else any that is. */
export function freePort(preferred: number, host = '127.0.0.1'): Promise<number> {
  return listenOnce(preferred, host)
    .catch(() => listenOnce(0, host))
    .catch(() => preferred);
}

/** Whether nobody listens on this port. */
export function isFreePort(port: number, host: string): Promise<boolean> {
  return listenOnce(port, host).then(
    () => true,
    () => false,
  );
}
