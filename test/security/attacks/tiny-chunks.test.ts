import { once } from 'node:events';
import { connect } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { CardStore } from '../../../src/card-store/card-store.js';
import { createGateway } from '../../../src/gateway/create-gateway.js';
import { postbackCapability } from '../../../src/contract/postback-capability.js';

const key = 'oms-key-0123456789abcdef';
const postbackKey = Buffer.alloc(32, 3);
const bytes = 65_000;

/** A gateway, and how many pieces of a body it was handed in the worst turn of its event loop. */
async function startGateway() {
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  const app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore('card-store-of-chunks'),
    apiKeys: [{ name: 'shop', key, scopes: ['oms'] }],
    ...{ postbackKeys: [postbackKey], taskQueue: 'none', limits: { temporalCallMs: 20 } },
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
  });
  const pieces = { inThisTurn: 0, inTheWorst: 0, all: 0 };
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const push = raw.push.bind(raw);
    raw.push = (piece: unknown) => {
      if (pieces.inThisTurn === 0) setImmediate(() => (pieces.inThisTurn = 0));
      pieces.all += 1;
      pieces.inThisTurn += 1;
      pieces.inTheWorst = Math.max(pieces.inTheWorst, pieces.inThisTurn);
      return push(piece);
    };
    done();
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await app.close();
    await connection.close();
  });
  return { port: Number(new URL(url).port), pieces };
}

test.for([
  ['a payment', '/v1/payouts/pix', 400],
  ['a postback', `/postbacks/${postbackCapability([postbackKey], 'payout-rent')}`, 503],
] as const)(
  'a body in chunks of one byte, of %s, is taken in many turns of the event loop, whole',
  async ([, path, status]) => {
    const { port, pieces } = await startGateway();
    const socket = connect(port, '127.0.0.1');
    const head = ['POST', path, 'HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'].join(
      ' ',
    );
    const more = `Authorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    socket.write(`${head}${more}${'1\r\n \r\n'.repeat(bytes)}0\r\n\r\n`);
    let answer = '';
    socket.on('data', (part) => (answer += part.toString()));
    await once(socket, 'close');
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
    expect(pieces.all).toBeGreaterThanOrEqual(bytes);
    // One read of 64 KiB from a socket holds 10,922 of them.
    expect(pieces.inTheWorst).toBeLessThan(15_000);
  },
);
