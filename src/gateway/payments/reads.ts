import type { FastifyRequest } from 'fastify';
import type { PaymentState } from '../../contract/state.js';
import { preferredWaitMs } from '../http/prefer.js';
import type { Awaitable, SharedWaits } from './shared-waits.js';

/** The state now, or with `Prefer: wait=N` as soon as the status is one of `?until=`. */
export async function stateOrWait<State extends PaymentState>(
  { headers, query }: Pick<FastifyRequest, 'headers'> & { query: { until?: string | undefined } },
  payment: Awaitable<State>,
  waits: SharedWaits<State>,
): Promise<State> {
  const waitMs = preferredWaitMs(headers.prefer);
  return waitMs === 0 ? payment.state() : waits.wait(payment, query.until?.split(',') ?? [], waitMs);
}
