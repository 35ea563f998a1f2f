import type { Client } from '@temporalio/client';
import { WorkflowUpdateRPCTimeoutOrCancelledError, isGrpcServiceError } from '@temporalio/client';
import { TemporalUnavailableError } from './errors.js';

/** A Temporal client, and how long one call of it may take. */
export type TemporalCalls = { readonly client: Client; readonly callTimeoutMs: number };

/** gRPC codes that say nothing about the request: cancelled, deadline, exhausted, aborted, internal, unavailable. */
const passing: readonly number[] = [1, 4, 8, 10, 13, 14];

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
    const code = grpcCode(error);
    if (code !== undefined && passing.includes(code)) throw new TemporalUnavailableError(error);
    throw error;
  }
}

function grpcCode(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return Number(error.code);
  return error instanceof Error && isGrpcServiceError(error.cause) ? Number(error.cause.code) : undefined;
}
