import type { FastifyReply, FastifyRequest } from 'fastify';
import { TemporalUnavailableError } from '../../client/errors.js';
import type { PaymentState } from '../../contract/state.js';
import { earlyClosingText, isEarly, type EarlyClosing } from '../../domain/closings.js';
import { isUnanswered } from '../../domain/statuses.js';
import { HttpError } from '../http/http-error.js';
import { countsFor } from '../http/in-flight.js';
import type { GatewayMetrics } from '../http/metrics.js';
import { preferredWaitMs } from '../http/prefer.js';
import type { Awaitable, SharedWaits, Wait } from './shared-waits.js';

type StartAnswer<State extends PaymentState> = {
  readonly payment: Awaitable<State>;
  readonly repeated: boolean;
  /** The state that a payment just started has, as far as it follows from its input. */
  readonly initial: State;
  readonly waits: SharedWaits<State>;
  readonly metrics: GatewayMetrics;
  readonly location: string;
  /** How long to wait for the service's answer without `Prefer`; not at all unless given. */
  readonly waitMs?: number;
};

/** Statuses in which the service has not answered, whether or not it was called. */
const noAnswerYet: readonly string[] = ['awaiting_card', 'submission_unknown', 'unconfirmed'];

/**
 * Answers a start: 200 for a repeat, 201 when the service has answered (a refusal or denial too), 202 when not yet.
 * Once a payment is started nothing that fails afterwards makes it an error.
 */
export async function answerStart<State extends PaymentState>(
  request: FastifyRequest,
  reply: FastifyReply,
  start: StartAnswer<State>,
): Promise<State> {
  const { repeated, initial, metrics, location, waitMs = 0 } = start;
  metrics.starts.inc({ kind: initial.kind, outcome: repeated ? 'repeated' : 'started' });
  void reply.header('location', location);
  const wait: Wait = {
    caller: countsFor(request),
    statuses: [],
    waitMs: preferredWaitMs(request.headers.prefer) ?? waitMs,
    by: 'update',
  };
  const state = await stateToAnswer(wait, start);
  if (repeated && isEarly(state.closed_as)) throw closedEarly(state.closed_as, location);
  const answered = !isUnanswered(state.status) && !noAnswerYet.includes(state.status);
  void reply.code(repeated ? 200 : answered ? 201 : 202);
  return state;
}

async function stateToAnswer<State extends PaymentState>(
  wait: Wait,
  { payment, repeated, initial, waits }: StartAnswer<State>,
): Promise<State> {
  if (repeated) return wait.waitMs === 0 ? payment.state() : waits.wait(payment, wait);
  if (wait.waitMs === 0) return initial;
  return waits.wait(payment, wait).catch((error: unknown) => {
    if (error instanceof TemporalUnavailableError) return initial;
    throw error;
  });
}

/** A repeat must not read as if the payment was under way. */
function closedEarly(closing: EarlyClosing, location: string): HttpError {
  const detail = `${earlyClosingText(closing)} This request has started nothing.`;
  return new HttpError(409, 'closed-early', 'Closed early', detail, { reason: closing, location });
}
