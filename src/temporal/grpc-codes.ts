import { isGrpcServiceError } from '@temporalio/client';

/**
 * gRPC codes that prove nothing about the request: cancelled, unknown (a connection that broke), deadline, exhausted,
 * aborted, internal, unavailable.
 */
const passing: readonly number[] = [1, 2, 4, 8, 10, 13, 14];

/** The gRPC code of an error of Temporal, or of its cause. */
export function grpcCode(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return Number(error.code);
  return error instanceof Error && isGrpcServiceError(error.cause) ? Number(error.cause.code) : undefined;
}

/** Whether the same call of Temporal may work a moment later. */
export function mayPass(error: unknown): boolean {
  const code = grpcCode(error);
  return code !== undefined && passing.includes(code);
}
