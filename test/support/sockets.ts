import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Connections that send this, and read only when a test lets them. */
export function connections(url: string, count: number, sent: string): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write(sent);
    return socket;
  });
}

/** All that is answered to what is sent, at once and then bit by bit, until the other side closes the connection. */
export async function answerTo(url: string, sent: string, bit = ''): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(sent);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
  const more = bit === '' ? undefined : setInterval(() => socket.write(bit), 50);
  await once(socket, 'close');
  clearInterval(more);
  return Buffer.concat(chunks).toString('latin1');
}
