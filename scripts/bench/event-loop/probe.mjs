// Sends requests to a gateway in a process of its own, and measures what each costs it: the longest turn of its event
// loop in processor time, and the peak of its memory (Linux only).
import { Buffer } from 'node:buffer';
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import { postbackCapability } from '../../../dist/src/contract/postback-capability.js';
import { inChunks } from './chunks.mjs';
import { rendered } from './render.mjs';

const key = 'bench-key-0123456789abcdef';
const postbackKey = randomBytes(32);
/** Some commands go on asking a Temporal that is away: who has waited so long after the body hangs up. */
const answerMs = (bodyBytes) => 250 + bodyBytes / 2_000;

/** No gateway takes as long; one that does is stuck, which ends the search. */
const mostMs = 60_000;

export async function startProbe() {
  const child = fork(fileURLToPath(new URL('gateway.mjs', import.meta.url)), [
    key,
    postbackKey.toString('base64'),
  ]);
  const message = () =>
    new Promise((resolve, reject) => {
      const stuck = () => reject(new Error('The gateway does not come back from the last request.'));
      const timer = setTimeout(stuck, mostMs);
      child.once('message', (content) => {
        clearTimeout(timer);
        resolve(content);
      });
    });
  const ask = (what) => {
    const answer = message();
    child.send(what);
    return answer;
  };
  const memory = (name) => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1_024;
  };
  const reported = await message();
  const { port } = new URL(reported.url);
  let payments = 0;
  /** Each of a payment of its own: those of one would wait for each other. */
  const genuine = () => postbackCapability([postbackKey], `payout-${(payments += 1)}`);

  const sendTo = (route, parts, shape) =>
    send({ port, method: route.split(' ')[0], waitMs: answerMs(shape.bodyBytes), ...parts });
  const bytesOf = async (request, shape) => {
    const parts = rendered(request, { ...shape, genuine });
    if (request.sealed !== true) return parts;
    // What the codec itself has encrypted, for it to open again.
    const { status, text } = await sendTo('POST /codec/encode', { ...parts, path: '/codec/encode' }, shape);
    return {
      ...parts,
      content: status === 200 ? Buffer.from(text).subarray(0, shape.bodyBytes) : parts.content,
    };
  };

  return {
    ...reported,
    /** What one request costs. */
    async measure(request, shape) {
      const parts = await bytesOf(request, shape);
      await ask('longest');
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
      const before = memory('VmRSS');
      const { status } = await sendTo(shape.route, parts, shape);
      const { ms } = await ask('longest');
      return { status, ms, mb: memory('VmHWM') - before };
    },
    stop: () => child.kill(),
  };
}

function send({ port, method, waitMs, path, headers, type, content, chunk }) {
  const length = chunk > 0 ? { 'transfer-encoding': 'chunked' } : { 'content-length': content.length };
  const ofBody = method === 'GET' ? {} : { 'content-type': type, ...length };
  return new Promise((resolve) => {
    let sent;
    const fail = ({ code }) => resolve({ status: code, text: '' });
    try {
      sent = httpRequest(
        {
          ...{ host: '127.0.0.1', port, method, path, agent: false },
          headers: { authorization: `Bearer ${key}`, ...ofBody, ...headers },
        },
        (answer) => {
          const chunks = [];
          answer.on('data', (part) => chunks.push(part));
          answer.on('close', () =>
            resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }),
          );
        },
      );
    } catch (error) {
      fail(error);
      return;
    }
    sent.on('error', fail);
    const hangUp = () => sent.destroy(Object.assign(new Error('no answer yet'), { code: 'no answer yet' }));
    let timer = setTimeout(hangUp, mostMs);
    sent.once('finish', () => {
      clearTimeout(timer);
      timer = setTimeout(hangUp, waitMs);
    });
    sent.once('close', () => clearTimeout(timer));
    if (method === 'GET' || chunk === 0) sent.end(method === 'GET' ? undefined : content);
    else sendChunks(sent, content, chunk);
  });
}

/** Past Node's own chunks, of which the request is to have none but its last. */
function sendChunks(sent, content, chunk) {
  sent.flushHeaders();
  const write = () => sent.socket.write(inChunks(content, chunk), () => sent.end());
  if (sent.socket?.connecting === false) write();
  else sent.once('socket', (socket) => socket.once('connect', () => setTimeout(write, 0)));
}
