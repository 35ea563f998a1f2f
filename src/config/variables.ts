import { z } from 'zod';
import { notifyPrivateTargets, notifySecrets, notifyTargets, notifyWorkflows } from './notify-targets.js';
import {
  apiKeys,
  keyRing,
  logLevel,
  origins,
  payloadKeys,
  pollScale,
  port,
  serviceUrl,
  yesOrNo,
} from './values.js';

/** What a process is. */
export type Role = 'start' | 'worker' | 'gateway' | 'sandbox' | 'cli';

/** A variable of the environment, as documentation and deployments are checked against it. */
export type ConfigVariable = {
  readonly name: string;
  readonly meaning: string;
  /** What holds when it is not set; null when nothing does. */
  readonly default: string | null;
  readonly secret: boolean;
  readonly roles: readonly Role[];
};

const SERVING = ['start', 'worker', 'gateway'] as const;
const CONNECTED = ['start', 'worker', 'gateway', 'cli'] as const;

/** The schema of each variable of our own; what is undefined there is missing. */
export const schemas = {
  PAYMENTS_BASE_URL: serviceUrl,
  PAYMENTS_CLIENT_ID: z.string(),
  PAYMENTS_CLIENT_SECRET: z.string(),
  PAYMENTS_TASK_QUEUE: z.string().default('payments'),
  PUBLIC_URL: serviceUrl,
  GATEWAY_HOST: z.string().default('127.0.0.1'),
  GATEWAY_PORT: port.default(8080),
  POSTBACK_KEYS: keyRing,
  PAYLOAD_KEYS: payloadKeys,
  API_KEYS: apiKeys,
  DATA_DIR: z.string().default('.data'),
  TEMPORAL_UI_PORT: port,
  TEMPORAL_UI_ORIGINS: origins.default([]),
  LOG_LEVEL: logLevel.default('info'),
  POLL_SCALE: pollScale.default(1),
  NOTIFY_TARGETS: notifyTargets.default([]),
  NOTIFY_SECRETS: notifySecrets.default([]),
  NOTIFY_PRIVATE_TARGETS: notifyPrivateTargets.default([]),
  NOTIFY_WORKFLOWS: notifyWorkflows.default([]),
  TEMPORAL_PLAINTEXT: yesOrNo.default(false),
};

export type VariableName = keyof typeof schemas;

const own: Readonly<Record<VariableName, Omit<ConfigVariable, 'name'>>> = {
  PAYMENTS_BASE_URL: {
    meaning: 'the address of the payments service; without it `start` runs the sandbox instead',
    ...{ default: null, secret: false, roles: SERVING },
  },
  PAYMENTS_CLIENT_ID: {
    meaning: 'the client id that the payments service gave you',
    ...{ default: null, secret: false, roles: SERVING },
  },
  PAYMENTS_CLIENT_SECRET: {
    meaning: 'the client secret that the payments service gave you',
    ...{ default: null, secret: true, roles: SERVING },
  },
  PAYMENTS_TASK_QUEUE: {
    meaning: 'the Temporal task queue of payments',
    ...{ default: 'payments', secret: false, roles: CONNECTED },
  },
  PUBLIC_URL: {
    meaning: 'the address under which the payments service reaches the gateway with its postbacks',
    ...{ default: null, secret: false, roles: SERVING },
  },
  GATEWAY_HOST: {
    meaning: 'the interface that the gateway listens on',
    ...{ default: '127.0.0.1', secret: false, roles: ['start', 'gateway'] },
  },
  GATEWAY_PORT: {
    meaning: 'the port that the gateway listens on',
    ...{ default: '8080', secret: false, roles: ['start', 'gateway'] },
  },
  POSTBACK_KEYS: {
    meaning: 'the keys (id:base64 of 32 bytes) that sign postback addresses: the first signs, all verify',
    ...{ default: null, secret: true, roles: SERVING },
  },
  PAYLOAD_KEYS: {
    meaning:
      'the keys (id:base64 of 32 bytes) that encrypt what Temporal stores: the first encrypts, all decrypt; ' +
      'or `none`, to store it in clear',
    ...{ default: null, secret: true, roles: CONNECTED },
  },
  API_KEYS: {
    meaning:
      'who may call the gateway: name:key of at least 24 characters, for oms and operator, or name:key:scope for some ' +
      'of oms, operator, codec',
    ...{ default: null, secret: true, roles: ['start', 'gateway'] },
  },
  DATA_DIR: {
    meaning: 'the directory of the embedded Temporal’s database and of generated keys',
    ...{ default: '.data', secret: false, roles: ['start', 'cli'] },
  },
  TEMPORAL_UI_PORT: {
    meaning: 'the port of the embedded Temporal’s Web UI; 8233 when that is free',
    ...{ default: null, secret: false, roles: ['start'] },
  },
  TEMPORAL_UI_ORIGINS: {
    meaning:
      'the exact origins of the Web UIs whose pages may use the gateway’s codec endpoint, as ' +
      'https://temporal.example.com; several separated by commas; none is needed behind one address',
    ...{ default: null, secret: false, roles: ['gateway'] },
  },
  LOG_LEVEL: {
    meaning: 'the least important log level that is written',
    ...{ default: 'info', secret: false, roles: ['start', 'worker', 'gateway', 'sandbox', 'cli'] },
  },
  POLL_SCALE: {
    meaning:
      'a factor on every waiting time, for trials; other than 1 only with a payments service on this machine',
    ...{ default: '1', secret: false, roles: ['start', 'gateway'] },
  },
  NOTIFY_TARGETS: {
    meaning:
      'the webhooks that may be told of payments: name=url, several separated by commas; none, and there are no webhooks',
    ...{ default: null, secret: false, roles: SERVING },
  },
  NOTIFY_SECRETS: {
    meaning: 'the secrets that sign for each of these webhooks: name=whsec_…, each of a name signs',
    ...{ default: null, secret: true, roles: SERVING },
  },
  NOTIFY_PRIVATE_TARGETS: {
    meaning: 'the names of those webhooks that may be in a private network',
    ...{ default: null, secret: false, roles: SERVING },
  },
  NOTIFY_WORKFLOWS: {
    meaning:
      'what the ids of workflows begin with that payments may signal their changes to, several separated by commas; ' +
      'none, and no workflow is signalled',
    ...{ default: null, secret: false, roles: CONNECTED },
  },
  TEMPORAL_PLAINTEXT: {
    meaning:
      '`true` to reach a Temporal on another machine without TLS, in a network that only payments are in',
    ...{ default: 'false', secret: false, roles: CONNECTED },
  },
};

const temporals: readonly ConfigVariable[] = [
  {
    name: 'TEMPORAL_ADDRESS',
    meaning: 'host and port of Temporal; with neither this nor a profile, `start` runs one of its own',
    ...{ default: 'localhost:7233', secret: false, roles: CONNECTED },
  },
  {
    name: 'TEMPORAL_NAMESPACE',
    meaning: 'the Temporal namespace',
    ...{ default: 'default', secret: false, roles: CONNECTED },
  },
  {
    name: 'TEMPORAL_PROFILE',
    meaning: 'the profile of Temporal’s own configuration file',
    ...{ default: null, secret: false, roles: CONNECTED },
  },
  {
    name: 'TEMPORAL_API_KEY',
    meaning: 'the API key of Temporal Cloud',
    ...{ default: null, secret: true, roles: CONNECTED },
  },
];

/** Each variable that this program reads, but for the rest of Temporal's own (TEMPORAL_TLS_… and the like). */
export const configVariables: readonly ConfigVariable[] = [
  ...Object.entries(own).map(([name, variable]) => ({ name, ...variable })),
  ...temporals,
];
