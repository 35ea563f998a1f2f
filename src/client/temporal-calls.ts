import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { mayPass } from '../temporal/grpc-codes.js';
import { EventsNotHandledError } from '../temporal/query-workflow.js';
import type { ServerClock } from '../temporal/server-clock.js';
import { CommandUnboundedError, TemporalUnavailableError } from './errors.js';

/** A Temporal client, how long one call of it may take, and Temporal's clock, for who sends commands. */
export type TemporalCalls = {
  readonly client: Client;
  readonly callTimeoutMs: number;
  readonly clock?: Pick<ServerClock, 'currentIfMeasured'>;
};

/** How long a measurement of Temporal's time may take. */
const measuringMs = 2_000;

/** The workflow task that takes a command may last so long. */
const workflowTaskMs = 10_000;

/** No worker has asked for tasks lately, or the workflow's task fails: somebody is on it. */
export const failedPrecondition = 9;

/**
 * Makes a call with a deadline.
 *
 * @throws TemporalUnavailableError when no answer came; otherwise what the call throws.
 */
export async function callTemporal<T>(
  { client, callTimeoutMs }: TemporalCalls,
  call: () => Promise<T>,
  extraMs = 0,
): Promise<T> {
  try {
    return await client.withDeadline(Date.now() + callTimeoutMs + extraMs, call);
  } catch (error) {
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) throw new TemporalUnavailableError(error);
    if (error instanceof EventsNotHandledError) throw new TemporalUnavailableError(error);
    if (mayPass(error)) throw new TemporalUnavailableError(error);
    throw error;
  }
}

/**
 * Sends a command with the `take_before` of its sender's wait.
 *
 * @throws as {@link callTemporal}; CommandUnboundedError when no answer came and it was sent without
 */
export async function sendCommand<T>(
  calls: TemporalCalls,
  send: (bound: { take_before?: string }) => Promise<T>,
  extraMs: number,
): Promise<T> {
  const bound = await takeBefore(calls, extraMs);
  try {
    return await callTemporal(calls, () => send(bound), extraMs);
  } catch (error) {
    const isUnbounded = error instanceof TemporalUnavailableError && bound.take_before === undefined;
    throw isUnbounded ? new CommandUnboundedError(error.cause) : error;
  }
}

/**
 * The `take_before` of a command whose sender waits `extraMs` longer than for other calls; none where Temporal's time is not
 * known, for it would be compared with that.
 */
async function takeBefore(
  { callTimeoutMs, client, clock }: TemporalCalls,
  extraMs: number,
): Promise<{ take_before?: string }> {
  const measured = () => clock?.currentIfMeasured() ?? Promise.resolve(null);
  const now = await client.withDeadline(Date.now() + measuringMs, measured);
  if (now === null) return {};
  return { take_before: new Date(now + callTimeoutMs + extraMs - workflowTaskMs).toISOString() };
}

/** What is asked about one workflow. @throws what `notFound` makes when Temporal knows no such workflow */
export async function unlessNotFound<Answer>(
  ask: () => Promise<Answer>,
  notFound: () => Error,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw notFound();
    throw error;
  }
}
