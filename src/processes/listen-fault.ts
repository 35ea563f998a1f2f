import { createServer } from 'node:net';
import { once } from 'node:events';

type Address = { readonly host: string; readonly port: number };

/** Why nothing can listen there, in words for an operator; undefined when it can. */
export async function listenFault(address: Address): Promise<string | undefined> {
  const server = createServer().listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    return listenWords(error, address);
  }
  server.close();
  await once(server, 'close');
  return undefined;
}

/** Why nothing could listen there, by the error of a server. */
export function listenWords(error: unknown, { host, port: number }: Address): string {
  const port = String(number);
  const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
  switch (code) {
    case 'EADDRINUSE':
      return `The port ${port} is taken. Stop the program that has it, or set GATEWAY_PORT to another.`;
    case 'EACCES':
      return `This user may not listen on the port ${port}. Set GATEWAY_PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine. Set GATEWAY_HOST to one, or to 0.0.0.0 for all of them.`;
    default:
      return `Nothing can listen on ${host}, port ${port} (${String(code)}). Set GATEWAY_HOST and GATEWAY_PORT to others.`;
  }
}
