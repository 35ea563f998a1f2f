import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { paymentNotification } from '../../src/contract/notify.js';
import type { PaymentNotification } from '../../src/contract/notify.js';
import type { NotifyTarget } from '../../src/domain/notify-targets.js';
import { webhookPing, type WebhookPing } from '../../src/contract/webhook-ping.js';
import { listening } from './listening.js';

/** One call of a webhook whose signature was verified. */
export type Received = { readonly id: string; readonly notification: PaymentNotification };

/** An OMS that takes webhooks, on loopback. */
export type WebhookReceiver = {
  readonly url: string;
  readonly secret: string;
  /** Every genuine call so far, also those that were not answered with success. */
  readonly received: readonly Received[];
  /** Every genuine ping so far. */
  readonly pings: readonly WebhookPing[];
  /** How the next calls are answered; by 204 at first. */
  answerBy(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  close(): Promise<void>;
};

/** What a payout has notified of. */
export const notification: PaymentNotification = {
  ...{ id: 'run-1', type: 'payment.status_changed', sequence: 1, at: '2026-01-01T00:00:00.000Z' },
  payment: {
    ...{ kind: 'payout', partner_code: 'p1', workflow_id: 'payout-p1', started_by: 'shop', service_id: '77' },
    ...{ status: 'done', attention: null, value: 10.5, attempt: 1, cause: null },
  },
};

export const accept = (_request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(204).end();
};

export const answerStatus =
  (status: number) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status).end();
  };

/** It as the target `shop` of any payment. */
export const shopTarget = ({ secret, url }: WebhookReceiver): NotifyTarget => ({
  ...{ name: 'shop', url, keys: null, secrets: [secret], mayBePrivate: false },
});

export async function startWebhookReceiver(
  serve: (listener: RequestListener) => ReturnType<typeof createServer> = createServer,
): Promise<WebhookReceiver> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const received: Received[] = [];
  const pings: WebhookPing[] = [];
  let answer = accept;
  const server = serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      try {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        const message = new Webhook(secret).verify(body, headers);
        const ping = webhookPing.safeParse(message);
        if (ping.success) pings.push(ping.data);
        else
          received.push({
            id: String(headers['webhook-id']),
            notification: paymentNotification.parse(message),
          });
      } catch {
        response.writeHead(401).end();
        return;
      }
      answer(request, response);
    });
  });
  const { url } = await listening(server);
  return {
    url: `${url}/hooks?from=payments`,
    secret,
    received,
    pings,
    answerBy: (next) => {
      answer = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
