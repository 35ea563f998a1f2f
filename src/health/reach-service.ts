import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { HealthProblem } from './problem.js';

const timeoutMs = 5_000;

/**
 * Why no connection to an address comes about, with TLS where it is https: a code such as ECONNREFUSED; undefined when
 * it does. Sends no request.
 */
export function connectionFault(address: string): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket =
      protocol === 'https:'
        ? connectTls({ host, port: Number(port || 443), servername: host })
        : connectPlain({ host, port: Number(port || 80) });
    const end = (fault?: string) => {
      socket.destroy();
      resolve(fault);
    };
    socket.setTimeout(timeoutMs, () => end('ETIMEDOUT'));
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => end());
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.name));
  });
}

/** A problem when the payments service is not reached from this machine. */
export async function unreachableService(baseUrl: string): Promise<HealthProblem[]> {
  const fault = await connectionFault(baseUrl);
  if (fault === undefined) return [];
  return [
    {
      check: 'service',
      detail: `The payments service is not reached from here (${fault}): nothing can be sent or read.`,
      action:
        'Look at PAYMENTS_BASE_URL, at the network and its DNS, and at the service itself. ' +
        'If other machines reach it, stop the workers on this one.',
    },
  ];
}
