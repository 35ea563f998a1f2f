import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { PaymentsService } from '../payments-service/payments-service.js';

/** The span of one HTTP request. */
export type RequestSpan = {
  /** Runs the rest of the request: what it calls becomes part of its trace. */
  run(rest: () => void): void;
  end(answered: { status: number; workflowId: string | undefined }): void;
};

/** Begins the span of a request. `traceparent` is the caller's own span, where it has one. */
export type TraceRequest = (request: {
  method: string;
  route: string;
  traceparent: string | undefined;
}) => RequestSpan;

/** What a process traces with, in each place that a payment passes. */
export type Tracing = {
  readonly request?: TraceRequest;
  readonly clientInterceptors: readonly WorkflowClientInterceptor[];
  readonly activityInterceptors: readonly ActivityInterceptorsFactory[];
  service(service: PaymentsService): PaymentsService;
  /** Sends the spans at hand. */
  stop(): Promise<void>;
};

/** Nothing is traced, and nothing of OpenTelemetry's SDK is loaded. */
export const noTracing: Tracing = {
  clientInterceptors: [],
  activityInterceptors: [],
  service: (service) => service,
  stop: () => Promise.resolve(),
};
