import type { Client } from '@temporalio/client';
import type {
  NotificationDeps,
  OwnPaymentsDeps,
  SendingDeps,
  TokenDeps,
} from '../../activities/shared/deps.js';
import { ownPayments } from '../client/own-payments.js';
import type { WorkerConfig } from '../config/settings.js';
import { isLoopback } from '../config/values.js';
import { createWebhookSender } from '../webhooks/webhook-sender.js';
import { createPaymentsService } from '../payments-service/create-payments-service.js';
import type { KeyRing } from '../temporal/key-ring.js';
import { createTokenSource } from '../temporal/token-source.js';

/** What activities work with. */
export type PaymentsParts = {
  readonly sending: SendingDeps;
  readonly token: TokenDeps;
  readonly own: OwnPaymentsDeps;
  readonly notifications: NotificationDeps;
  close(): Promise<void>;
};

type PartsConfig = Pick<
  WorkerConfig,
  'payments' | 'taskQueue' | 'publicUrl' | 'postbackKeys' | 'notifyTargets' | 'notifyWorkflows'
>;

/** The client of the payments service, and the fleet's token for it. */
export function createPaymentsParts(
  client: Client,
  { payments, taskQueue, publicUrl, postbackKeys, notifyTargets, notifyWorkflows }: PartsConfig,
): PaymentsParts {
  const service = createPaymentsService(payments);
  const tokens = createTokenSource({ ...payments, client, taskQueue });
  return {
    sending: { service, tokens, publicUrl, postbackKeys: keyBytes(postbackKeys) },
    token: { service, clientSecret: payments.clientSecret },
    own: { service, tokens, ...ownPayments(client, taskQueue) },
    notifications: {
      notifyWorkflows,
      webhooks: createWebhookSender({
        targets: notifyTargets,
        allowLoopback: isLoopback(payments.baseUrl),
      }),
    },
    close: () => service.close(),
  };
}

/** The bytes of a ring's keys, the current one first. */
export function keyBytes({ current, byId }: KeyRing): [Uint8Array, ...Uint8Array[]] {
  const previous = [...byId.values()].filter((key) => key !== current);
  return [current.bytes, ...previous.map(({ bytes }) => bytes)];
}
