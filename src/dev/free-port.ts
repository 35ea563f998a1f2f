import { createServer } from 'node:net';

/** The preferred port (0: none) if it is free on `host`, else any that is. */
export async function freePort(preferred: number, host = '127.0.0.1'): Promise<number> {
  return (await listenOnce(preferred, host)) ?? (await listenOnce(0, host)) ?? preferred;
}

/** Whether nobody listens on this port. */
export async function isFreePort(port: number, host: string): Promise<boolean> {
  return (await listenOnce(port, host)) !== null;
}

function listenOnce(port: number, host: string): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
