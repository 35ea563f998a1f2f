import type { FastifyRequest } from 'fastify';
import type { PaymentState } from '../../contract/state.js';
import { countsFor } from '../http/in-flight.js';
import { preferredWaitMs } from '../http/prefer.js';
import type { Awaitable, SharedWaits } from './shared-waits.js';

/** The state now, or with `Prefer: wait=N` as soon as the status is one of `?until=`. */
export async function stateOrWait<State extends PaymentState>(
  request: Pick<FastifyRequest, 'headers' | 'caller' | 'ip'> & { query: { until?: string | undefined } },
  payment: Awaitable<State>,
  waits: SharedWaits<State>,
): Promise<State> {
  const waitMs = preferredWaitMs(request.headers.prefer) ?? 0;
  if (waitMs === 0) return payment.state();
  const statuses = request.query.until?.split(',') ?? [];
  return waits.wait(payment, { caller: countsFor(request), statuses, waitMs });
}
