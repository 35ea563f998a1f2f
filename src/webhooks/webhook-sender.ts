import { isIP } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Client } from 'undici';
import type { PaymentNotification } from '../contract/notify.js';
import type { WebhookPing } from '../contract/webhook-ping.js';
import { maxCallsOfWebhook, webhookCallMs } from '../domain/notifications.js';
import { findNotifyTarget } from '../domain/notify-targets.js';
import type { NotifyTarget } from '../domain/notify-targets.js';
import { addressClass } from './addresses.js';
import { CallsUnderWay } from './calls-under-way.js';
import { AddressRefusedError, guardedLookup, resolveHost } from './guarded-lookup.js';
import type { ResolveHost } from './guarded-lookup.js';

/** The outcome of one call of a webhook; in every case but `delivered` it may be made again. */
export type Delivery =
  | { kind: 'delivered' }
  /** Nothing was sent: the webhook is on no list, or its address may not be called. */
  | { kind: 'refused'; reason: string }
  /** Nothing was sent: as many calls of it as are made at a time are under way. */
  | { kind: 'busy'; reason: string }
  | { kind: 'failed'; reason: string };

export type WebhookSender = {
  /** Calls a webhook once, by its name or URL in the list of targets. Never rejects. */
  deliver(webhook: unknown, message: PaymentNotification | WebhookPing): Promise<Delivery>;
};

export type WebhookSenderOptions = {
  readonly targets: readonly NotifyTarget[];
  /** Whether targets may be on this machine: for trials. */
  readonly allowLoopback: boolean;
  readonly resolve?: ResolveHost;
  /** Bound of one call in all: finding the address, connecting, TLS, sending, the status of the answer. */
  readonly totalMs?: number;
};

/**
 * Sends notifications signed by the Standard Webhooks specification: over TLS that is verified (http to this machine
 * alone), to the targets of the list and to addresses that may be called, without redirects, in bounded time. Of the
 * answer only the status is read. One that hangs has a few calls under way, and the others the rest.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const underWay = new CallsUnderWay(maxCallsOfWebhook);
  return {
    deliver: async (webhook, message) => {
      const target = targetOf(options.targets, webhook, message);
      if (target === undefined) return { kind: 'refused', reason: noTarget };
      return (await underWay.call(target.url, () => callOnce(target, message, options))) ?? busy(target);
    },
  };
}

async function callOnce(
  target: NotifyTarget,
  message: PaymentNotification | WebhookPing,
  { allowLoopback, resolve = resolveHost, totalMs = webhookCallMs }: WebhookSenderOptions,
): Promise<Delivery> {
  const url = new URL(target.url);
  const permits = (address: string) => isPermitted(address, target, allowLoopback);
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // A connection to an address that stands in the URL makes no lookup.
  if (isIP(literal) !== 0 && !permits(literal)) return failedDelivery(target, new AddressRefusedError());
  const lookup = guardedLookup(resolve, permits);
  const client = new Client(url.origin, {
    connect: { lookup, rejectUnauthorized: true, timeout: totalMs },
    allowH2: false,
    pipelining: 0,
  });
  try {
    const body = JSON.stringify(message);
    const { statusCode } = await client.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: headersOf(target, message.id, body),
      body,
      signal: AbortSignal.timeout(totalMs),
    });
    return outcomeOf(target, statusCode);
  } catch (error) {
    return failedDelivery(target, error);
  } finally {
    // With the connection goes what there is of an answer: nobody reads it.
    await client.destroy().catch(() => undefined);
  }
}

const noTarget =
  'The webhook is not one of NOTIFY_TARGETS, or not for payments of its owner, so it is not called.';

/** A ping is about no payment: who may ask for one is decided where it is asked for. */
function targetOf(
  targets: readonly NotifyTarget[],
  webhook: unknown,
  message: PaymentNotification | WebhookPing,
) {
  if ('payment' in message) return findNotifyTarget(targets, webhook, message.payment.started_by);
  const forAll = targets.map((target) => ({ ...target, keys: null }));
  return findNotifyTarget(forAll, webhook, null);
}

function isPermitted(
  address: string,
  { mayBePrivate }: Pick<NotifyTarget, 'mayBePrivate'>,
  allowLoopback: boolean,
): boolean {
  const found = addressClass(address);
  return (
    found === 'public' || (found === 'private' && mayBePrivate) || (found === 'loopback' && allowLoopback)
  );
}

function headersOf({ secrets }: NotifyTarget, id: string, body: string): Record<string, string> {
  const now = new Date();
  return {
    'content-type': 'application/json',
    'user-agent': 'durable-payments',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}

function outcomeOf({ name }: NotifyTarget, status: number): Delivery {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const redirected = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  return { kind: 'failed', reason: `The webhook ${name} answered ${String(status)}.${redirected}` };
}

function busy({ name }: NotifyTarget): Delivery {
  const most = String(maxCallsOfWebhook);
  return {
    kind: 'busy',
    reason: `The webhook ${name} was not called: ${most} calls of it are under way, and it has answered none of them yet.`,
  };
}

/** What went wrong, without the words of others: an error may hold what was sent. */
function failedDelivery({ name }: NotifyTarget, error: unknown): Delivery {
  if (error instanceof AddressRefusedError) {
    return { kind: 'refused', reason: `The webhook ${name} was not called. ${error.message}` };
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return { kind: 'failed', reason: `The webhook ${name} did not answer in time.` };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  return { kind: 'failed', reason: `The webhook ${name} could not be reached (${code}).` };
}
