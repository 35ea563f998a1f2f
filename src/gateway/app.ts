import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { PaymentsClient } from '../client.js';
import type { AccountValidationState, OrderState, PayoutState, RefundState } from '../contract/state.js';
import type { Caller, Scope } from './http/api-keys.js';
import type { CostlyReads } from './http/costly-reads.js';
import type { AuditEntry } from '../audit/audit-log.js';
import type { GatewayDeps, GatewayLimits } from './deps.js';
import type { GatewayMetrics } from './http/metrics.js';
import type { RequestSpan } from '../tracing/tracing.js';
import type { SharedWaits } from './payments/shared-waits.js';
import type { ProblemType } from './http/problem-types.js';
import type { Purpose } from './http/to-http-error.js';

/** Fastify with zod's types: what every route is registered on. */
export type GatewayApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What routes work with. */
export type GatewayServices = {
  readonly deps: GatewayDeps;
  readonly limits: GatewayLimits;
  readonly now: () => number;
  readonly payments: PaymentsClient;
  readonly payoutWaits: SharedWaits<PayoutState>;
  readonly orderWaits: SharedWaits<OrderState>;
  readonly refundWaits: SharedWaits<RefundState>;
  readonly validationWaits: SharedWaits<AccountValidationState>;
  readonly costlyReads: CostlyReads;
  readonly batchReads: CostlyReads;
  readonly metrics: GatewayMetrics;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends it, by API key; null when no key was shown or none matches. */
    caller: Caller | null;
    /** The workflow that it is about, for the access log; null when it is about none. */
    workflowId: string | null;
    /** Of a request that is traced. */
    span?: RequestSpan;
    /** Writes a line of the audit stream, with the caller and its address. */
    audit(entry: Omit<AuditEntry, 'key' | 'address'>): void;
    /** Whether such a line was written, or is going to be. */
    isAudited: boolean;
    /** The problem that it is answered with; null when with none. */
    problem: ProblemType | null;
  }
  interface FastifyContextConfig {
    /** What the route does, for the words of its errors. */
    purpose?: Purpose;
    /** Any of these scopes opens the route; `oms` and `operator` do when absent. */
    scopes?: readonly Scope[];
    /** What the audit stream calls it; its `operationId` when absent. */
    command?: string;
  }
}
