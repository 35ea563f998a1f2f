import type { Dispatcher } from 'undici';
import { networkWords } from './network-words.js';

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Called once, right before the first byte: why not to send, or undefined. */
  refusal?: () => string | undefined;
};

/**
 * The outcome of one request. `not_sent`: no byte of it has left. `lost`: it was written, in part or whole, and no
 * status came back. `body` is undefined when the answer broke off, took too long or was too large.
 */
export type Exchange =
  | { kind: 'not_sent'; reason: string }
  | { kind: 'lost'; reason: string }
  | { kind: 'answer'; status: number; retryAfter: string | undefined; body: string | undefined };

/** Sends one request by a dispatcher and waits for the end of it, `totalMs` at most. Never rejects. */
export function exchange(dispatcher: Dispatcher, request: HttpRequest, totalMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const { refusal, ...options } = request;
    const chunks: Buffer[] = [];
    let answer: { status: number; retryAfter: string | undefined } | undefined;
    let connection: Dispatcher.DispatchController | undefined;
    let written = false;
    let over = false;

    const end = (result: Exchange) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      resolve(result);
    };
    const breakOff = (reason: string) => {
      if (answer !== undefined) end({ kind: 'answer', ...answer, body: undefined });
      else end({ kind: written ? 'lost' : 'not_sent', reason });
    };
    const timer = setTimeout(() => {
      breakOff('The time for the call was over.');
      connection?.abort(new Error('total time over'));
    }, totalMs);

    dispatcher.dispatch(options, {
      // The connection stands; undici writes the request right after this function.
      onRequestStart(controller) {
        connection = controller;
        const reason = over || written ? 'The request would have been written late.' : refusal?.();
        if (reason === undefined) {
          written = true;
          return;
        }
        breakOff(reason);
        controller.abort(new Error('not sent'));
      },
      onResponseStart(_controller, status, headers) {
        const retryAfter = headers['retry-after'];
        if (status >= 200)
          answer = { status, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter };
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        if (answer === undefined) breakOff('The answer had no status.');
        else end({ kind: 'answer', ...answer, body: new TextDecoder().decode(Buffer.concat(chunks)) });
      },
      onResponseError(_controller, error) {
        const why = networkWords(error);
        breakOff(written ? `The connection broke: ${why}.` : `No connection: ${why}.`);
      },
    });
  });
}
