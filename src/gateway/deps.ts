import type { Client } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { AuditLog } from '../audit/audit-log.js';
import type { CreditCard } from '../contract/card.js';
import type { CardTicket } from '../contract/http/payments.js';
import type { NotifyTargetAddress, NotifyWorkflows } from '../domain/notify-targets.js';
import type { HealthProblem } from '../health/problem.js';
import type { TraceRequest } from '../tracing/tracing.js';
import type { ApiKey } from './http/api-keys.js';

/** Where cards wait: `CardStore` of src/card-store. */
export type GatewayCardStore = {
  /** How many cards it holds. */
  readonly held: number;
  /** Throws when it is full, has enough cards of that key, or is stopping; nothing was kept. */
  put(card: CreditCard, key: string): CardTicket;
  /** Drops a card that nobody is going to need. */
  discard(cardRef: string): void;
};

/** The codec endpoint: what the Web UI and the CLI decode payloads with. */
export type CodecEndpoint = {
  readonly codec: PayloadCodec;
  /** Such as `/codec`, or a path that nobody can guess where there is no key. */
  readonly path: string;
  readonly auth: 'bearer' | 'none';
  /** Exact origins of the Web UI, such as `http://127.0.0.1:8233`. */
  readonly origins: readonly string[];
  /** Names, with their ports, by which it is called besides those of `origins` and this machine's own. */
  readonly hosts?: readonly string[];
};

/** What keeps payments from moving, and when that was looked at. */
export type HealthReport = { readonly problems: readonly HealthProblem[]; readonly checkedAt: Date };

/** Bounds of what one gateway takes on. */
export type GatewayLimits = {
  readonly bodyBytes: number;
  /** Of one API key, of which some is still to come. */
  readonly bodiesAtOnce: number;
  /** Of the genuine postbacks of one network, of which some is still to come. */
  readonly postbackBodiesAtOnce: number;
  /** Of one API key, that are not yet answered in full, or still at work for a client that has left. */
  readonly requestsAtOnce: number;
  /** Of one network, that show no key. */
  readonly requestsAtOnceWithoutKey: number;
  /** Of one API key, that wait for a status; beyond this the state is answered as it is. */
  readonly waitsAtOnce: number;
  /** Of one API key: reads of a history, of a whole report, or of each payout of a batch. */
  readonly costlyReadsAtOnce: number;
  /** Of one API key: reads of a batch, of which each page is asked. */
  readonly batchReadsAtOnce: number;
  readonly headerBytes: number;
  /** In so long at least `bodyBytes` of a body have to come, or the rest of it. */
  readonly requestMs: number;
  /** For the headers of a request to arrive. */
  readonly headersMs: number;
  /** A connection on which nothing happens, above the longest wait of 30 seconds. */
  readonly idleMs: number;
  readonly keepAliveMs: number;
  /** From a request that has come to the last byte of its answer; at least `idleMs`, so that it cuts nothing sooner. */
  readonly answerMs: number;
  /** The last tenth is for networks other than the one that has over half of them. */
  readonly connections: number;
  /** Requests a minute of one API key, or of one address that shows none. */
  readonly requestsPerMinute: number;
  /** Requests a minute of one address, whatever it shows; several keys may come through one proxy. */
  readonly addressRequestsPerMinute: number;
  /** 503 beyond this delay of the event loop; 0 for no such limit. */
  readonly eventLoopDelayMs: number;
  /** One call of Temporal: longer than the ten seconds after which a worker is given a lost workflow task again. */
  readonly temporalCallMs: number;
  /** How many postbacks may await their signal at once. */
  readonly waitingPostbacks: number;
};

export const gatewayLimits: GatewayLimits = {
  bodyBytes: 64 * 1_024,
  bodiesAtOnce: 200,
  postbackBodiesAtOnce: 2_000,
  requestsAtOnce: 2_000,
  requestsAtOnceWithoutKey: 200,
  waitsAtOnce: 500,
  costlyReadsAtOnce: 4,
  batchReadsAtOnce: 20,
  headerBytes: 16 * 1_024,
  requestMs: 15_000,
  headersMs: 10_000,
  idleMs: 75_000,
  keepAliveMs: 65_000,
  answerMs: 75_000,
  connections: 5_000,
  requestsPerMinute: 30_000,
  addressRequestsPerMinute: 120_000,
  eventLoopDelayMs: 2_000,
  temporalCallMs: 15_000,
  waitingPostbacks: 1_000,
};

/** All that a gateway needs from outside. */
export type GatewayDeps = {
  readonly client: Client;
  readonly cardStore: GatewayCardStore;
  readonly apiKeys: readonly ApiKey[];
  /** The first makes capabilities and the cursors of lists, each opens them. */
  readonly postbackKeys: readonly Uint8Array[];
  readonly codec?: CodecEndpoint;
  readonly logger: FastifyBaseLogger;
  /** Standard output when absent. */
  readonly audit?: AuditLog;
  readonly taskQueue: string;
  /** Temporal's time, in milliseconds since the epoch; this machine's own when absent. */
  readonly now?: () => number;
  readonly pollScale?: number;
  /** The webhooks that payments may notify; none when absent. */
  readonly notifyTargets?: readonly NotifyTargetAddress[];
  /** What the ids of workflows begin with that payments may signal; none when absent. */
  readonly notifyWorkflows?: readonly NotifyWorkflows[];
  readonly eagerStart?: boolean;
  readonly limits?: Partial<GatewayLimits>;
  /** Where to count; one of its own when absent. */
  readonly metrics?: Registry;
  /** Further metrics of the process, as Prometheus reads them: those of the Temporal SDK. */
  readonly sdkMetrics?: () => Promise<string>;
  /** What is wrong with the whole system, as it was seen last; null before the first look. */
  readonly health?: () => HealthReport | null;
  /** Traces requests; nothing is traced when absent. */
  readonly traceRequest?: TraceRequest;
};
