import { z } from 'zod';
import { notifyPrivateTargets, notifySecrets, notifyTargets, notifyWorkflows } from './notify-targets.js';
import {
  apiKeys,
  callsPerSecond,
  gatewayHost,
  keyRing,
  logLevel,
  nexusCallers,
  origins,
  ordersAfter429,
  payloadKeys,
  pollScale,
  port,
  scanBeforeSend,
  workerVersioning,
  serviceUrl,
  trueOrFalse,
} from './values.js';

/** What an operator reads about a variable. */
type Documentation = {
  readonly description: string;
  /** A value that works; `$(…)` in it is for a shell to fill in. */
  readonly example: string;
  /** Where the default is Temporal's own. */
  readonly default?: string;
  readonly secret?: true;
};

const documentation = z.registry<Documentation>();

/** Each variable of the environment that this program reads, but for the rest of Temporal's own (`TEMPORAL_TLS_…`). */
export const variables = z.object({
  PAYMENTS_BASE_URL: documented(serviceUrl, {
    description: 'the address of the payments service; without it `start` runs the sandbox instead',
    example: 'https://payments.example.com',
  }),
  PAYMENTS_CLIENT_ID: documented(z.string(), {
    description: 'the client id that the payments service gave you',
    example: 'shop',
  }),
  PAYMENTS_CLIENT_SECRET: documented(z.string(), {
    description: 'the client secret that the payments service gave you',
    example: 'the-secret-it-gave-you',
    secret: true,
  }),
  PAYMENTS_TASK_QUEUE: documented(z.string().prefault('payments'), {
    description: 'the Temporal task queue of payments',
    example: 'payments',
  }),
  PUBLIC_URL: documented(serviceUrl, {
    description: 'the address under which the payments service reaches the gateway with its postbacks',
    example: 'https://shop.example.com',
  }),
  GATEWAY_HOST: documented(gatewayHost.prefault('127.0.0.1'), {
    description: 'the IP address that the gateway listens on; `localhost` is `127.0.0.1` alone',
    example: '0.0.0.0',
  }),
  GATEWAY_PORT: documented(port.prefault('8080'), {
    description: 'the port that the gateway listens on',
    example: '8081',
  }),
  POSTBACK_KEYS: documented(keyRing, {
    description:
      'the keys (id:base64 of 32 bytes) that sign postback addresses and the cursors of lists: the first signs, all verify',
    example: 'k1:$(openssl rand -base64 32)',
    secret: true,
  }),
  PAYLOAD_KEYS: documented(payloadKeys, {
    description:
      'the keys (id:base64 of 32 bytes) that encrypt what Temporal stores: the first encrypts, all decrypt; ' +
      'or `none`, to store it in plaintext',
    example: 'k1:$(openssl rand -base64 32)',
    secret: true,
  }),
  API_KEYS: documented(apiKeys, {
    description:
      'who may call the gateway: name:key:scope, the key of at least 24 characters, one scope or several of oms, operator, ' +
      'codec',
    example: 'shop:$(openssl rand -hex 24):oms,ana:$(openssl rand -hex 24):operator',
    secret: true,
  }),
  DATA_DIR: documented(z.string().prefault('.data'), {
    description: 'the directory of the embedded Temporal’s database and of generated keys',
    example: '/var/lib/durable-payments',
  }),
  TEMPORAL_UI_PORT: documented(port, {
    description: 'the port of the embedded Temporal’s Web UI; 8233 when that is free',
    example: '8234',
  }),
  TEMPORAL_UI_ORIGINS: documented(origins.default([]), {
    description:
      'the exact origins of the Web UIs whose pages may use the gateway’s codec endpoint, several separated by ' +
      'commas; none is needed behind one address',
    example: 'https://temporal.example.com',
  }),
  LOG_LEVEL: documented(logLevel.prefault('info'), {
    description: 'the least important log level that is written',
    example: 'warn',
  }),
  POLL_SCALE: documented(pollScale.prefault('1'), {
    description:
      'a factor on every waiting time, for trials; other than 1 only with a payments service on this machine',
    example: '0.01',
  }),
  METRICS_HOST: documented(z.string().prefault('127.0.0.1'), {
    description: 'the interface at which a worker serves its metrics',
    example: '0.0.0.0',
  }),
  METRICS_PORT: documented(port.optional(), {
    description:
      'the port at which a worker serves its metrics as /metrics; without it, it serves none. A gateway serves them ' +
      'at its own port',
    example: '9464',
  }),
  SCAN_BEFORE_SEND: documented(scanBeforeSend.prefault('when_old'), {
    description:
      'which payouts are sent only after a complete scan that does not show them: those decided upon more than 60 ' +
      'seconds ago or before the worker was started (`when_old`), or `always`, while a restore or a failover of ' +
      'Temporal is settled',
    example: 'always',
  }),
  ORDERS_AFTER_429: documented(ordersAfter429.prefault('send_again'), {
    description:
      'what follows when the service answers 429 to the creation of an order, a checkout or a validation, or to the ' +
      'completion of a 3D Secure order, which no list shows: it is sent again (`send_again`), for 429 is taken to mean ' +
      'that nothing was done, or its outcome is `unknown` and waits for an operator',
    example: 'unknown',
  }),
  CREATING_CALLS_PER_SECOND: documented(callsPerSecond.optional(), {
    description:
      'how many calls that create something all workers together make a second, the same for each of them: orders ' +
      'before payouts before batches; card orders, which gateways send, are not counted. Without it there is no bound',
    example: '50',
  }),
  WORKER_VERSIONING: documented(workerVersioning.prefault('off'), {
    description:
      'whether a worker takes part in Temporal’s Worker Deployment Versioning, and what payments do there that name ' +
      'nothing else: stay with the build that they began with until they go on in a new run (`pinned`), or move with ' +
      'their next task (`auto_upgrade`)',
    example: 'pinned',
  }),
  NOTIFY_TARGETS: documented(notifyTargets.default([]), {
    description:
      'the webhooks that payments may notify: name@key=url, several separated by commas; key is the name of the API key ' +
      'whose payments may, several joined by +, or * for all; without @ all may, where one key alone starts payments; ' +
      'none, and there are no webhooks',
    example: 'shop=https://shop.example.com/hooks/payments',
  }),
  NOTIFY_SECRETS: documented(notifySecrets.default([]), {
    description: 'the secrets that sign for each of these webhooks: name=whsec_…, each of a name signs',
    example: 'shop=whsec_$(openssl rand -base64 32)',
    secret: true,
  }),
  NOTIFY_PRIVATE_TARGETS: documented(notifyPrivateTargets.default([]), {
    description: 'the names of those webhooks that may be in a private network',
    example: 'shop',
  }),
  NOTIFY_WORKFLOWS: documented(notifyWorkflows.default([]), {
    description:
      'what the ids of workflows begin with that payments may signal their changes to, as prefix or prefix@key with ' +
      'keys as in NOTIFY_TARGETS, several separated by commas; two characters at least, and nothing with which ids of ' +
      'payments or of Temporal begin; none, and no workflow is signalled',
    example: 'shop-',
  }),
  NEXUS_CALLERS: documented(nexusCallers.default([]), {
    description:
      'who may call the Nexus service `payments`, by the names that own what they start, several separated by commas; ' +
      'the endpoint of each targets the task queue `<PAYMENTS_TASK_QUEUE>-nexus-<name>`; none, and the service is not ' +
      'offered',
    example: 'shop',
  }),
  TEMPORAL_PLAINTEXT: documented(trueOrFalse.prefault('false'), {
    description:
      '`true` to reach a Temporal on another machine without TLS, in a network that only payments are in',
    example: 'true',
  }),
  TEMPORAL_ADDRESS: documented(z.string().optional(), {
    description: 'host and port of Temporal; with neither this nor a profile, `start` runs one of its own',
    example: 'temporal.example.com:7233',
    default: 'localhost:7233',
  }),
  TEMPORAL_NAMESPACE: documented(z.string().optional(), {
    description: 'the Temporal namespace',
    example: 'payments',
    default: 'default',
  }),
  TEMPORAL_PROFILE: documented(z.string().optional(), {
    description: 'the profile of Temporal’s own configuration file',
    example: 'production',
  }),
  TEMPORAL_API_KEY: documented(z.string().optional(), {
    description: 'the API key of Temporal Cloud',
    example: 'the-key-from-its-web-pages',
    secret: true,
  }),
});

export type VariableName = keyof typeof variables.shape;

export const variableNames = variables.keyof().options;

/** What stands in the documentation about a variable; its default is null where nothing holds unless it is set. */
export function documentationOf(name: VariableName) {
  const schema = variables.shape[name];
  const about = documentation.get(schema);
  if (about === undefined) throw new Error(`${name} is not documented.`);
  const ownDefault = schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : null;
  const { description, example, default: fromTemporal, secret = false } = about;
  return { name, description, example, default: fromTemporal ?? ownDefault, secret };
}

/** A copy of the schema, for variables share kinds of values. */
function documented<S extends z.ZodType>(schema: S, about: Documentation): S {
  const own = schema.clone();
  documentation.add(own, about);
  return own;
}
