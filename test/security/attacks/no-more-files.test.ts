import { connect } from 'node:net';
import { once } from 'node:events';
import Fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError } from '../../../src/config.js';
import { startWebUi } from '../../../src/dev/embedded-temporal/web-ui.js';
import { gatewayLimits } from '../../../src/gateway/deps.js';
import { shedLoad } from '../../../src/gateway/http/shed-load.js';
import { openFilesLimit, requireOpenFiles } from '../../../src/processes/open-files.js';
import { ownPort } from '../../support/own-port.js';

describe('a gateway whose operating system lets it open too few files', () => {
  test('does not start, and says how to mend that', () => {
    expect(() => {
      requireOpenFiles(0, 4_096);
    }).toThrow(ConfigError);
    expect(() => {
      requireOpenFiles(0, 4_096);
    }).toThrow(/open 4096 files.*up to 5000 connections.*LimitNOFILE=6000/s);
  });

  test('starts where there are enough, and where nothing says how many', () => {
    for (const limit of [6_000, 1_048_576, Infinity])
      expect(() => {
        requireOpenFiles(0, limit);
      }).not.toThrow();
    expect(openFilesLimit()).toBeGreaterThan(0);
  });

  test('is not ended by what it measures itself by, which opens none', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const memory = vi.spyOn(process, 'memoryUsage').mockImplementation(() => {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    });
    onTestFinished(() => {
      memory.mockRestore();
    });
    const app = Fastify();
    shedLoad(app.withTypeProvider<ZodTypeProvider>(), { ...gatewayLimits, eventLoopDelayMs: 1_000 });
    app.get('/', () => 'answered');
    onTestFinished(() => app.close());
    await app.ready();
    vi.advanceTimersByTime(10_000);
    expect((await app.inject({ url: '/' })).statusCode).toBe(200);
  });
});

test('the port of the Web UI has a bound: whoever opens more connections closes his own', async () => {
  const port = await ownPort();
  const ui = await startWebUi({ port, upstream: 'http://127.0.0.1:1', token: 'a-token', codecUrl: null });
  onTestFinished(() => ui.close());
  let closed = 0;
  const address = new URL(ui.link('/'));
  const sockets = await Promise.all(
    Array.from({ length: 600 }, async () => {
      const socket = connect(Number(address.port), address.hostname);
      socket.on('error', () => undefined).once('close', () => (closed += 1));
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      return socket;
    }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await vi.waitFor(() => {
    expect(closed).toBeGreaterThanOrEqual(100);
  }, 60_000);
  expect(sockets.filter((socket) => !socket.destroyed).length).toBeGreaterThan(400);
});
