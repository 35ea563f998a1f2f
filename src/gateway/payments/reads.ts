import type { FastifyRequest } from 'fastify';
import type { PaymentState } from '../../contract/state.js';
import { countsFor } from '../http/in-flight.js';
import { preferredWaitMs } from '../http/prefer.js';
import { hasReached, type Awaitable, type SharedWaits } from './shared-waits.js';

/** The state now, or with `Prefer: wait=N` once the status is one of `?until=`. A read writes nothing to the history. */
export async function stateOrWait<State extends PaymentState>(
  request: Pick<FastifyRequest, 'headers' | 'caller' | 'ip'> & { query: { until?: string | undefined } },
  payment: Awaitable<State>,
  waits: SharedWaits<State>,
): Promise<State> {
  const waitMs = preferredWaitMs(request.headers.prefer) ?? 0;
  const statuses = request.query.until?.split(',') ?? [];
  const state = await payment.state();
  if (waitMs === 0 || hasReached(state, statuses)) return state;
  return waits.wait(payment, { caller: countsFor(request), statuses, waitMs, by: 'query' });
}
