import { expect, onTestFinished, test } from 'vitest';
import { postbackCapability } from '../../../src/contract/postback-capability.js';
import { omsKey, postbackKey } from '../../gateway/call.js';
import { gatewayWithoutTemporal } from '../../support/gateway-without-temporal.js';
import { answerTo } from '../../support/sockets.js';

const bytes = 65_000;

/** A gateway, and how many pieces of a body it was handed in the worst turn of its event loop. */
async function startGateway() {
  const { app, close, listen } = gatewayWithoutTemporal();
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
  onTestFinished(close);
  return { url: await listen(), pieces };
}

test.for([
  ['a payment', '/v1/payouts/pix', 400],
  ['a postback', `/postbacks/${postbackCapability([postbackKey], 'payout-rent')}`, 503],
] as const)(
  'a body in chunks of one byte, of %s, is taken in many turns of the event loop, whole',
  async ([, path, status]) => {
    const { url, pieces } = await startGateway();
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
    const more = `Authorization: Bearer ${omsKey}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const answer = await answerTo(url, `${head}${more}${'1\r\n \r\n'.repeat(bytes)}0\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
    expect(pieces.all).toBeGreaterThanOrEqual(bytes);
    // One read of 64 KiB from a socket holds 10,922 of them.
    expect(pieces.inTheWorst).toBeLessThan(15_000);
  },
);
