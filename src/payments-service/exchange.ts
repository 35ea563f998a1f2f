import type { Dispatcher } from 'undici';
import { decodeBody } from './content-encoding.js';
import { GrowingBuffer } from './growing-buffer.js';
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
 * The outcome of one request. `not_sent`: no byte of it has left. `lost`: it was written, in part or whole, and nothing
 * that can be called an answer came back. `unreadable`: an answer came, of that status if it had one, and could not be read.
 */
export type Exchange =
  | { kind: 'not_sent'; reason: string }
  | { kind: 'lost'; reason: string }
  | { kind: 'unreadable'; status: number | null; reason: string }
  | { kind: 'answer'; status: number; retryAfter: string | undefined; body: string };

/** Sends one request by a dispatcher and waits for the end of it, `totalMs` at most. Never rejects. */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  { maxAnswerBytes, totalMs }: Pick<CallLimits, 'maxAnswerBytes' | 'totalMs'>,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const { refusal, ...options } = request;
    const received = new GrowingBuffer();
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
    const endUnreadable = (status: number, why: string) => {
      const reason = `The service answered ${String(status)}, but its answer could not be read: ${why}.`;
      end({ kind: 'unreadable', status, reason });
    };
    const breakOff = (reason: string) => {
      if (answer !== undefined) endUnreadable(answer.status, 'it broke off or was too large');
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
        received.add(chunk);
      },
      onResponseEnd() {
        if (answer === undefined) {
          breakOff('The answer had no status.');
          return;
        }
        const { retryAfter, status } = answer;
        void decodeBody(received.bytes(), encoding, maxAnswerBytes).then(({ body, fault }) => {
          if (fault === undefined) end({ kind: 'answer', status, retryAfter, body });
          else endUnreadable(status, fault);
        });
      },
      onResponseError(_controller, error) {
        const why = networkWords(error);
        if (written && answer === undefined && isUnreadable(error)) {
          end({
            kind: 'unreadable',
            status: null,
            reason: `The answer of the service could not be read: ${why}.`,
          });
        }
        breakOff(written ? `The connection broke: ${why}.` : `No connection: ${why}.`);
      },
    });
  });
}
