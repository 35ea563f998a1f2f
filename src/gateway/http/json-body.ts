import { InvalidRequestError } from '../../client/errors.js';
import { memberTwiceIn } from '../../client/json-text.js';
import { utf8TextOf } from '../../client/utf8-text.js';
import type { GatewayApp } from '../app.js';

/** Reads the JSON body of a request: UTF-8 text in which no member is there twice. */
export function readJson(app: GatewayApp): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      const text = utf8TextOf(body);
      void parse(request, text, (error, value: unknown) => {
        const twice = error === null ? memberTwiceIn(text) : null;
        done(twice === null ? error : new InvalidRequestError([twice]), value);
      });
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      done(error);
    }
  });
}
