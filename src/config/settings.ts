import type { NotifyTarget, NotifyWorkflows } from '../domain/notify-targets.js';
import type { AfterThrottling } from '../domain/outcome-classes.js';
import type { TemporalTarget } from '../temporal/connection.js';
import type { KeyRing } from '../temporal/key-ring.js';
import type { ApiKey } from './values.js';

/** How to reach the payments service. */
export type PaymentsServiceConfig = {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

export type SandboxConfig = { readonly logLevel: string };

/** What gateway and worker have in common. */
export type ServingConfig = {
  readonly logLevel: string;
  readonly temporal: TemporalTarget;
  readonly taskQueue: string;
  readonly payments: PaymentsServiceConfig;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly postbackKeys: KeyRing;
  readonly payloadKeys: KeyRing | 'none';
  /** The webhooks that may notify the OMS; at a gateway secrets may be missing, for it delivers nothing. */
  readonly notifyTargets: readonly NotifyTarget[];
  /** What the ids of workflows begin with that payments may signal. */
  readonly notifyWorkflows: readonly NotifyWorkflows[];
  /** What follows a 429 to the creation of what no list shows. */
  readonly ordersAfter429: AfterThrottling;
  /** Whether OpenTelemetry's variables ask for traces. */
  readonly traces: boolean;
};

export type WorkerConfig = ServingConfig & {
  /** Where its metrics are served; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Which payouts are sent only after a complete scan of the service's list. */
  readonly scanBeforeSend: 'when_old' | 'always';
  /** How many calls that create something all workers together make a second; null: as many as there are. */
  readonly creatingCallsPerSecond: number | null;
  /** Whether it takes part in Worker Deployment Versioning, and how payments do. */
  readonly versioning: 'off' | 'pinned' | 'auto_upgrade';
  /** Who may call the Nexus service, by the names that own what they start. */
  readonly nexusCallers: readonly string[];
};

export type GatewayConfig = ServingConfig & {
  readonly host: string;
  readonly port: number;
  readonly apiKeys: readonly ApiKey[];
  readonly pollScale: number;
  /** Of the Web UIs that may decode in a browser. */
  readonly uiOrigins: readonly string[];
};

/** What is null in it is for `start` to provide: keys generated under `dataDir`, the ports that are free. */
export type StartConfig = Omit<
  GatewayConfig,
  'temporal' | 'payments' | 'postbackKeys' | 'payloadKeys' | 'apiKeys' | 'uiOrigins'
> &
  Pick<WorkerConfig, 'creatingCallsPerSecond' | 'scanBeforeSend' | 'nexusCallers'> & {
    readonly dataDir: string;
    readonly temporal: TemporalTarget | 'embedded';
    readonly uiPort: number | null;
    readonly payments: PaymentsServiceConfig | 'sandbox';
    readonly postbackKeys: KeyRing | null;
    readonly payloadKeys: KeyRing | 'none' | null;
    readonly apiKeys: readonly ApiKey[] | null;
  };

/** Keys that are null are those generated under `dataDir`, where an embedded Temporal is found too. */
export type CliConfig = {
  readonly notifyWorkflows: readonly NotifyWorkflows[];
  readonly logLevel: string;
  readonly dataDir: string;
  readonly temporal: TemporalTarget | 'embedded';
  readonly taskQueue: string;
  readonly payloadKeys: KeyRing | 'none' | null;
};

export type Configs = {
  readonly start: StartConfig;
  readonly worker: WorkerConfig;
  readonly gateway: GatewayConfig;
  readonly sandbox: SandboxConfig;
  readonly cli: CliConfig;
};
