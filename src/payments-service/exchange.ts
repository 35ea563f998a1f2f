import type { Dispatcher } from 'undici';
import { decoded } from './content-encoding.js';
import type { CallLimits } from './limits.js';
import { isUnreadable, networkWords } from './network-words.js';

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
 * status came back. `unreadable`: what came back is no HTTP. `body` is undefined when the answer broke off, took too long
 * or was too large, or for the reason in `fault`.
 */
export type Exchange =
  | { kind: 'not_sent'; reason: string }
  | { kind: 'lost'; reason: string }
  | { kind: 'unreadable'; reason: string }
  | {
      kind: 'answer';
      status: number;
      retryAfter: string | undefined;
      body: string | undefined;
      fault?: string;
    };

/** Sends one request by a dispatcher and waits for the end of it, `totalMs` at most. Never rejects. */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  { maxAnswerBytes, totalMs }: Pick<CallLimits, 'maxAnswerBytes' | 'totalMs'>,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const { refusal, ...options } = request;
    const chunks: Buffer[] = [];
    let answer: { status: number; retryAfter: string | undefined } | undefined;
    let encoding = 'identity';
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
        if (status < 200) return;
        answer = { status, retryAfter: [headers['retry-after']].flat()[0] };
        encoding = [headers['content-encoding']].flat().join(',') || encoding;
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        if (answer === undefined) {
          breakOff('The answer had no status.');
          return;
        }
        const { retryAfter, status } = answer;
        const common = { kind: 'answer' as const, status, retryAfter };
        decoded(Buffer.concat(chunks), encoding, maxAnswerBytes).then(
          (body) => {
            end({ ...common, body });
          },
          (error: unknown) => {
            end({
              ...common,
              body: undefined,
              fault: error instanceof Error ? error.message : 'it is broken',
            });
          },
        );
      },
      onResponseError(_controller, error) {
        const why = networkWords(error);
        if (written && answer === undefined && isUnreadable(error)) {
          end({ kind: 'unreadable', reason: `The answer of the service could not be read: ${why}.` });
        }
        breakOff(written ? `The connection broke: ${why}.` : `No connection: ${why}.`);
      },
    });
  });
}
