import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnce } from '../../src/dev/free-port.js';
import { listenWords } from '../../src/processes/listen-fault.js';
import { listening } from '../support/listening.js';

test('a port that is free has no fault, and one that is taken is named', async () => {
  const taken = createServer();
  const { port } = await listening(taken);
  onTestFinished(() => void taken.close());
  const address = { host: '127.0.0.1', port };
  expect(await listenOnce(0, address.host)).toBeGreaterThan(0);
  const error: unknown = await listenOnce(address.port, address.host).catch((fault: unknown) => fault);
  expect(listenWords(error, address)).toContain(`The port ${String(address.port)} is taken.`);
});

test.for([
  ['EACCES', 'may not listen on the port 80. Set GATEWAY_PORT'],
  ['EADDRNOTAVAIL', '10.0.0.1 is no address of this machine. Set GATEWAY_HOST'],
  ['ENOTFOUND', '10.0.0.1, port 80 (ENOTFOUND). Set GATEWAY_HOST and GATEWAY_PORT'],
])('the error %s is reported in words, with what to set', ([code, words]) => {
  const error = Object.assign(new Error('listen'), { code });
  expect(listenWords(error, { host: '10.0.0.1', port: 80 })).toContain(words);
});
