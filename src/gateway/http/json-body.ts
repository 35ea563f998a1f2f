import type { FastifyRequest } from 'fastify';
import { refuseTwice } from '../../client/json-text.js';
import { utf8TextOf } from '../../client/utf8-text.js';
import type { GatewayApp } from '../app.js';

/** Reads the JSON body of a request: UTF-8 text in which no member is there twice. */
export function readJson(app: GatewayApp): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  const read = async (request: FastifyRequest, body: Buffer) => {
    const text = utf8TextOf(body);
    const value = await new Promise<unknown>((resolve, reject) => {
      void parse(request, text, (error, parsed) => {
        if (error === null) resolve(parsed);
        else reject(error);
      });
    });
    refuseTwice(text);
    return value;
  };
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, read);
}
