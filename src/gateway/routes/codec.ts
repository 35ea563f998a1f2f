import { setImmediate as nextTurn } from 'node:timers/promises';
import cors from '@fastify/cors';
import type { Payload } from '@temporalio/common';
import { errorCodes } from 'fastify';
import type { FastifyRequest } from 'fastify';
import { codecPayloads } from '../../contract/http/codec.js';
import type { CodecPayloads } from '../../contract/http/codec.js';
import type { GatewayApp } from '../app.js';
import type { CodecEndpoint } from '../deps.js';
import { auditAll } from '../http/audit-all.js';
import { outcomeOf } from '../http/outcome-of.js';
import { requireCaller } from '../http/auth.js';
import { bounded } from '../http/bounded-body.js';
import type { Body } from '../http/bounded-body.js';
import { HttpError } from '../http/http-error.js';
import { InFlight } from '../http/in-flight.js';

const bodyLimit = 8 * 1_024 * 1_024;
/** Of all bodies that one caller is sending. */
const mostInFlight = 4 * bodyLimit;
/** Commas and brackets of 1,000 payloads with much metadata; base64 has none of them. */
const mostMarks = 30_000;
/** A thousand payloads take a while to convert, in which other requests want to be answered. */
const payloadsPerTurn = 16;

/** POST …/encode and …/decode, as the Web UI and the `temporal` CLI call a codec server. */
export async function codecRoutes(app: GatewayApp, endpoint: CodecEndpoint): Promise<void> {
  const { codec, auth, origins } = endpoint;
  auditAll(app);
  // From elsewhere nothing is answered where no key is required.
  if (auth === 'none') onlyFromLoopback(app);
  onlyByKnownNames(app, endpoint);
  readBoundedJson(app);
  await app.register(cors, {
    origin: [...origins],
    methods: ['POST'],
    allowedHeaders: ['content-type', 'x-namespace', 'authorization'],
    maxAge: 600,
  });
  if (auth === 'bearer') requireCaller(app);

  const routes = {
    encode: (payloads: Payload[]) => codec.encode(payloads),
    decode: (payloads: Payload[]) => codec.decode(payloads),
  };
  const inFlight = new InFlight(mostInFlight);
  for (const [name, convert] of Object.entries(routes)) {
    app.post(
      `/${name}`,
      {
        bodyLimit,
        config: { scopes: ['codec'], command: name },
        schema: { hide: true, body: codecPayloads },
        preParsing: (request, reply, payload, done) => {
          const bytes = Number(request.headers['content-length'] ?? bodyLimit);
          if (bytes > bodyLimit) done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
          else done(inFlight.take(request, reply, bytes) ? null : tooMuchAtOnce(), payload);
        },
      },
      async (request) => {
        request.isAudited = true;
        try {
          const converted = await inTurns(request.body, convert);
          request.audit({ command: name, outcome: `${String(request.body.payloads.length)} payloads` });
          return converted;
        } catch (error) {
          request.audit({ command: name, outcome: outcomeOf(error) });
          throw error;
        }
      },
    );
  }
}

const ownNames = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/**
 * Whatever stands before it: it answers only to names that are its own, and to pages of the origins that it knows. A
 * page whose name was made to lead here sends its own name as Host.
 */
function onlyByKnownNames(app: GatewayApp, { origins, hosts = [] }: CodecEndpoint): void {
  const known = new Set([...hosts, ...origins.map((origin) => new URL(origin).host)]);
  app.addHook('onRequest', (request, _reply, done) => {
    const { host = '', origin } = request.headers;
    const foreign = !(known.has(host) || ownNames.test(host));
    if (!foreign && (origin === undefined || origins.includes(origin))) {
      done();
      return;
    }
    request.audit({ command: 'codec', outcome: foreign ? 'foreign host' : 'foreign origin' });
    const detail =
      'The codec answers by the names of PUBLIC_URL and TEMPORAL_UI_ORIGINS alone, and to pages of those origins. ' +
      'Nothing was decoded.';
    done(new HttpError(403, 'forbidden', 'Forbidden', detail));
  });
}

/** From this machine, by one of its own names: a page elsewhere whose name was made to lead here does not count. */
function onlyFromLoopback(app: GatewayApp): void {
  app.addHook('onRequest', ({ ip, headers }, _reply, done) => {
    const ownName = ownNames.test(headers.host ?? '');
    if (ownName && /^(::ffff:)?127\.|^::1$/.test(ip)) done();
    else done(new HttpError(404, 'not-found', 'Not found', 'There is nothing at this address.'));
  });
}

/** Millions of empty payloads would take seconds to parse: what a body consists of is counted while it comes. */
function readBoundedJson(app: GatewayApp): void {
  const isMark = new Uint8Array(256);
  for (const mark of Buffer.from(',[{:')) isMark[mark] = 1;
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', async (_request: FastifyRequest, body: Body) => {
    const chunks: Uint8Array[] = [];
    let count = 0;
    for await (const chunk of bounded(body, bodyLimit)) {
      for (const byte of chunk) count += isMark[byte] ?? 0;
      if (count > mostMarks) throw tooManyPayloads();
      chunks.push(chunk);
    }
    await nextTurn();
    const text = Buffer.concat(chunks).toString();
    await nextTurn();
    const payloads = parsed(text);
    // They are checked next.
    await nextTurn();
    return payloads;
  });
}

/** The schema takes what it knows alone: a field named `__proto__` goes no further. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY();
  }
}

type Convert = (payloads: Payload[]) => Promise<Payload[]>;

/** Converts a few payloads at a time; in between others get their turn. */
async function inTurns({ payloads }: CodecPayloads, convert: Convert): Promise<CodecPayloads> {
  const converted: CodecPayloads['payloads'] = [];
  for (let at = 0; at < payloads.length; at += payloadsPerTurn) {
    await nextTurn();
    const some = payloads.slice(at, at + payloadsPerTurn).map(fromJson);
    await nextTurn();
    const done = await convert(some).catch(refuse);
    await nextTurn();
    converted.push(...done.map(toJson));
  }
  await nextTurn();
  return { payloads: converted };
}

/** Not by protobuf's own code, whose base64 is ten times slower: some megabytes of it would stop everyone. */
function fromJson({ metadata = {}, data }: CodecPayloads['payloads'][number]): Payload {
  return {
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    ...(data === undefined ? {} : { data: Buffer.from(data, 'base64') }),
  };
}

function toJson({ metadata, data }: Payload): CodecPayloads['payloads'][number] {
  const fields = Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)] as const);
  return {
    ...(fields.length === 0 ? {} : { metadata: Object.fromEntries(fields) }),
    ...(data == null || data.length === 0 ? {} : { data: base64(data) }),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}

function tooManyPayloads(): HttpError {
  const detail = 'There is more in this body than 1,000 payloads. Nothing was converted.';
  return new HttpError(413, 'too-large', 'Too large', detail);
}

function tooMuchAtOnce(): HttpError {
  const detail =
    `This caller is sending ${String(mostInFlight / bodyLimit)} bodies of the largest size already. ` +
    'Nothing was converted; send this one again when they are answered.';
  return new HttpError(429, 'too-many-requests', 'Too many requests', detail, { retryAfterSeconds: 1 });
}

/** The codec's error names the missing key, and shows nothing of the data. */
function refuse(error: unknown): never {
  const detail = error instanceof Error ? error.message : 'These payloads can not be converted.';
  throw new HttpError(400, 'codec', 'Payloads can not be converted', detail);
}
