// A service that answers whatever the search makes, and a reader of its answers in a process of its own.
import { Buffer } from 'node:buffer';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, deflateRawSync, gzipSync } from 'node:zlib';
import {
  maxDepth,
  maxElements,
  maxRecordsOfAPage,
} from '../../../dist/src/payments-service/answer-bounds.js';
import { callLimits } from '../../../dist/src/payments-service/limits.js';
import { inChunks } from './chunks.mjs';
import { rendered } from './render.mjs';

const record = {
  id: 7,
  status: 'claimed',
  partner_code: 'salary-1',
  value: 19.9,
  claimed_at: '2026-05-01T00:00:00Z',
};
const listed = { ...record, fee: 0.5, tax: 0.1, total: 20.5, paid_at: '2026-05-01', provider: 'Bank' };
const refusal = { message: 'is invalid', errors: [{ field: 'value', message: 'must be positive' }] };
const order = {
  order: { id: 7, status: 'paid', partner_code: 'order-1', value: 89.9 },
  checkout_url: 'https://pay.example',
};
const token = { token: 'token-1-abcdefgh', expire_minutes: 30 };
/** As many as are taken, less what they stand in. */
const fieldsEach = maxElements / maxRecordsOfAPage - 3;
const wide = { data: Object.fromEntries(Array.from({ length: fieldsEach }, (_, i) => [`f${i}`, 1])) };
const page = (one) => ({ payouts: Array(maxRecordsOfAPage).fill(one), total_pages: 1, current_page: 1 });
const answers = [
  ['authenticate', 200, token],
  ...['createCardOrder', 'createCheckout', 'createThreeDSecureOrder'].map((call) => [call, 201, order]),
  ['completeThreeDSecureOrder', 200, order],
  ...['createPixPayout', 'createTransferPayout', 'validateAccount'].map((call) => [call, 201, record]),
  ['requestRefund', 200, record],
  ...[401, 404, 422, 500].map((status) => ['createCardOrder', status, refusal]),
  ...[404, 422, 500].map((status) => ['createPixPayout', status, refusal]),
  ['readOrder', 200, order],
  ['readThreeDSecureToken', 200, token],
  ['readPayout', 200, record],
  ['readPayout', 404, refusal],
  ['listPayouts', 200, page(listed)],
  ['listPayouts', 200, page(wide), ' of many fields'],
];

const asItIs = (content) => content;
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
/** How an answer may be written: what is said of it, and how it is. */
const encodings = {
  'as gzip': ['gzip', gzipSync],
  'as br': ['br', (content) => brotliCompressSync(content, quickly)],
  // No smaller, so that there is as much to read twice.
  'as deflate without its head': ['deflate', (content) => deflateRawSync(content, { level: 0 })],
  'as gzip in name alone': ['gzip', asItIs],
  'in Latin-1': ['identity', inLatin1],
  'in Latin-1, as gzip in name alone': ['gzip', inLatin1],
};
/** More than any of them adds. */
const encodingBytes = 256;

function inLatin1(content) {
  return Buffer.from(content.toString(), 'latin1');
}

/** The fields of an example, as the search wants them: each by its path, with its type. */
function* fieldsIn(value, path = '') {
  if (path !== '') yield { path, type: Array.isArray(value) ? 'array' : typeof value, isOpen: false };
  if (Array.isArray(value)) yield* fieldsIn(value[0], `${path}.*`);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      yield* fieldsIn(inner, path === '' ? name : `${path}.${name}`);
}

export async function startAnswers() {
  let answer;
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const child = fork(fileURLToPath(new URL('reader.mjs', import.meta.url)), [
    `http://127.0.0.1:${server.address().port}`,
  ]);
  await once(child, 'message');
  const memory = (name) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) /
    1_024;
  return {
    shapes: answers.map(([call, status, example, what = '']) => ({
      route: `${call} answers ${status}${what}`,
      ...{ call, status, example, isAnswer: true },
      ...{ bodyBytes: callLimits.maxAnswerBytes - encodingBytes, headerBytes: 16_384 },
      ...{ elements: maxElements - 20, depth: maxDepth - 2 },
      ...{ types: ['application/json'], encodings: Object.keys(encodings) },
      ...{ fields: [...fieldsIn(example)], params: [], query: [], headers: [] },
    })),
    /** What reading one answer costs. */
    async measure(request, { call, status, ...shape }) {
      const { chunk, content: plain } = rendered(
        { ...request, headers: {}, manyHeaders: 0 },
        { ...shape, route: 'POST /' },
      );
      const [encoding, encoded] = encodings[request.encoding] ?? ['identity', asItIs];
      const content = encoded(plain);
      const length = chunk > 0 ? 'Transfer-Encoding: chunked' : `Content-Length: ${content.length}`;
      const head = Buffer.from(`HTTP/1.1 ${status} OK\r\nContent-Encoding: ${encoding}\r\n${length}\r\n\r\n`);
      const end = Buffer.from('0\r\n\r\n');
      answer = Buffer.concat(chunk > 0 ? [head, inChunks(content, chunk), end] : [head, content]);
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
      const before = memory('VmRSS');
      const result = once(child, 'message');
      child.send(call);
      return { ...(await result)[0], mb: memory('VmHWM') - before };
    },
    stop() {
      child.kill();
      server.close();
    },
  };
}
