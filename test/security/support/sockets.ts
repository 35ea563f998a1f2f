import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Connections that send this, and read only when they are told to. */
export function connections(url: string, count: number, sent: string): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write(sent);
    return socket;
  });
}

/** Reads all that comes until the other side has closed the connection. */
export function closed(socket: Socket | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (socket === undefined || socket.closed) resolve();
    else socket.resume().once('close', resolve);
  });
}
