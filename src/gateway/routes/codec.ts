import cors from '@fastify/cors';
import type { Payload } from '@temporalio/common';
import proto from '@temporalio/proto';
import { codecPayloads } from '../../contract/http/codec.js';
import type { CodecPayloads } from '../../contract/http/codec.js';
import type { GatewayApp } from '../app.js';
import type { CodecEndpoint } from '../deps.js';
import { requireCaller } from '../http/auth.js';
import { HttpError } from '../http/http-error.js';

const { Payloads } = proto.temporal.api.common.v1;
const bodyLimit = 8 * 1_024 * 1_024;

/** POST …/encode and …/decode, as the Web UI and the `temporal` CLI call a codec server. */
export async function codecRoutes(app: GatewayApp, { codec, auth, origins }: CodecEndpoint): Promise<void> {
  await app.register(cors, {
    origin: [...origins],
    methods: ['POST'],
    allowedHeaders: ['content-type', 'x-namespace', 'authorization'],
    maxAge: 600,
  });
  if (auth === 'bearer') requireCaller(app);
  else onlyFromLoopback(app);

  const routes = {
    encode: (payloads: Payload[]) => codec.encode(payloads),
    decode: (payloads: Payload[]) => codec.decode(payloads),
  };
  for (const [name, convert] of Object.entries(routes)) {
    app.post(
      `/${name}`,
      { bodyLimit, config: { scopes: ['operator'] }, schema: { hide: true, body: codecPayloads } },
      async (request) => toJson(await convert(fromJson(request.body)).catch(refuse)),
    );
  }
}

/** From this machine, by one of its own names: a page elsewhere whose name was made to lead here does not count. */
function onlyFromLoopback(app: GatewayApp): void {
  app.addHook('onRequest', ({ ip, headers }, _reply, done) => {
    const ownName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(headers.host ?? '');
    if (ownName && /^(::ffff:)?127\.|^::1$/.test(ip)) done();
    else done(new HttpError(404, 'not-found', 'Not found', 'There is nothing at this address.'));
  });
}

function fromJson(body: CodecPayloads): Payload[] {
  return Payloads.fromObject(body).payloads;
}

function toJson(payloads: Payload[]): object {
  return Payloads.fromObject({ payloads }).toJSON();
}

/** The codec says which key is missing, and nothing of the data. */
function refuse(error: unknown): never {
  const detail = error instanceof Error ? error.message : 'These payloads can not be converted.';
  throw new HttpError(400, 'codec', 'Payloads can not be converted', detail);
}
