import { createServer } from 'node:https';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NotifyTarget } from '../../src/domain/notify-targets.js';
import { createWebhookSender } from '../../src/webhooks/webhook-sender.js';
import type { WebhookSenderOptions } from '../../src/webhooks/webhook-sender.js';
import { selfSigned } from '../payments-service/self-signed.js';
import { gate } from '../support/gate.js';
import {
  accept,
  answerStatus,
  notification,
  shopTarget,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.js';

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(() => receiver.close());

const target = (change: Partial<NotifyTarget> = {}) => ({ ...shopTarget(receiver), ...change });
const sender = (change: Partial<NotifyTarget> = {}, options: Partial<WebhookSenderOptions> = {}) =>
  createWebhookSender({ targets: [target(change)], allowLoopback: true, ...options });
const deliver = (...given: Parameters<typeof sender>) => sender(...given).deliver('shop', notification);
const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('a webhook', () => {
  test.for(['shop', 'its URL'])('named by %s gets what the library verifies', async (name) => {
    const delivery = await sender().deliver(name === 'shop' ? name : receiver.url, notification);
    expect(delivery).toEqual({ kind: 'delivered' });
    expect(receiver.received).toEqual([{ id: 'run-1', notification }]);
  });

  test.for([
    ['its own key', ['market', 'shop'], 'delivered'],
    ['another key', ['market'], 'refused'],
  ] as const)('that is for payments of %s: %j, is %s', async ([, keys, kind]) => {
    expect((await deliver({ keys })).kind).toBe(kind);
    expect(receiver.received).toHaveLength(kind === 'delivered' ? 1 : 0);
  });

  test('is signed by each secret, so that the receiver can change from one to the next', async () => {
    await deliver({ secrets: [otherSecret, receiver.secret] });
    await deliver({ secrets: [receiver.secret, otherSecret] });
    expect(receiver.received).toHaveLength(2);
  });

  test('with another secret than the receiver’s is not taken', async () => {
    const delivery = await deliver({ secrets: [otherSecret] });
    expect(delivery).toEqual({ kind: 'failed', reason: 'The webhook shop answered 401.' });
    expect(receiver.received).toEqual([]);
  });

  test.for(['other', 'http://127.0.0.1:1/', '', 7, undefined, '__proto__'])(
    'that is on no list is not called: %s',
    async (webhook) => {
      const delivery = await sender().deliver(webhook, notification);
      expect(delivery).toMatchObject({ kind: 'refused' });
      expect(receiver.received).toEqual([]);
    },
  );
});

describe('a receiver that answers', () => {
  test.for([200, 201, 202, 204, 299])('%i has taken it', async (status) => {
    receiver.answerBy(answerStatus(status));
    expect(await deliver()).toEqual({ kind: 'delivered' });
  });

  test.for([400, 401, 404, 410, 429, 500, 503])('%i has not', async (status) => {
    receiver.answerBy(answerStatus(status));
    const reason = `The webhook shop answered ${String(status)}.`;
    expect(await deliver()).toEqual({ kind: 'failed', reason });
  });

  test.for([301, 302, 303, 307, 308])('by a redirect (%i) is not followed', async (status) => {
    const elsewhere = await startWebhookReceiver();
    receiver.answerBy((_request, response) => {
      response.writeHead(status, { location: elsewhere.url }).end();
    });
    const delivery = await deliver();
    expect(delivery).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('Redirects') as string,
    });
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  test('with a body without end is not read', async () => {
    let written = 0;
    receiver.answerBy((_request, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
        response.once('drain', more);
      };
      more();
    });
    expect(await deliver()).toEqual({ kind: 'delivered' });
    expect(written).toBeLessThan(20_000_000);
  });

  test.for<[string, Parameters<WebhookReceiver['answerBy']>[0]]>([
    [
      'with headers without end',
      (_, response) => response.writeHead(200, { 'x-filler': 'x'.repeat(200_000) }).end(),
    ],
    ['by hanging up', (request) => request.socket.destroy()],
  ])('%s has not taken it', async ([, answer]) => {
    receiver.answerBy(answer);
    expect(await deliver()).toMatchObject({ kind: 'failed' });
  });

  test('not at all is left after the time for a call', async () => {
    receiver.answerBy(() => undefined);
    const delivery = await deliver({}, { totalMs: 200 });
    expect(delivery).toEqual({ kind: 'failed', reason: 'The webhook shop did not answer in time.' });
  });

  test('nowhere, for nobody listens, has not taken it', async () => {
    const delivery = await deliver({ url: 'http://127.0.0.1:1/' });
    expect(delivery).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  test('over TLS with a certificate that nobody has reason to trust gets nothing', async () => {
    const untrusted = await startWebhookReceiver((listener) => createServer(selfSigned(), listener));
    const url = untrusted.url.replace('http:', 'https:');
    const delivery = await deliver({ url });
    expect(delivery).toMatchObject({ kind: 'failed', reason: expect.stringContaining('CERT') as string });
    expect(untrusted.received).toEqual([]);
    await untrusted.close();
  });
});

describe('a receiver that hangs', () => {
  const busy = {
    kind: 'busy',
    reason:
      'The webhook shop was not called: 10 calls of it are under way, and it has answered none of them yet.',
  };
  /** Ten calls that hang; answers what has the receiver answer them. */
  function hanging(to: ReturnType<typeof sender>) {
    const { open, passed } = gate();
    receiver.answerBy((request, response) => void passed.then(() => accept(request, response)));
    const calls = Array.from({ length: 10 }, () => to.deliver('shop', notification));
    return async () => {
      open();
      expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(Array(10).fill('delivered'));
    };
  }

  test('has ten calls under way at most; a further one, or a ping, is answered at once', async () => {
    const to = sender();
    const answerAll = hanging(to);
    expect(await to.deliver('shop', notification)).toEqual(busy);
    expect(await to.deliver(receiver.url, notification)).toEqual(busy);
    const ping = { id: 'run-1-ping', type: 'webhook.ping', at: notification.at } as const;
    expect(await to.deliver('shop', ping)).toEqual(busy);
    await answerAll();
    expect(receiver.received).toHaveLength(10);
    expect(receiver.pings).toEqual([]);
  });

  test('is called again once it has answered', async () => {
    const to = sender();
    await hanging(to)();
    expect(await to.deliver('shop', notification)).toEqual({ kind: 'delivered' });
  });

  test('keeps no other from being called', async () => {
    const other = await startWebhookReceiver();
    const to = sender({}, { targets: [target(), { ...shopTarget(other), name: 'market' }] });
    const answerAll = hanging(to);
    expect(await to.deliver('market', notification)).toEqual({ kind: 'delivered' });
    await answerAll();
    await other.close();
  });
});

describe('the address of a webhook', () => {
  const atName = () => receiver.url.replace('127.0.0.1', 'oms.example');
  /** Resolves the name to each of these lists of addresses in turn, and to the last one from then on. */
  const lookups = (...answers: (readonly string[])[]) => {
    const lookedUp: string[] = [];
    const resolve = (hostname: string) => {
      const found = answers[lookedUp.push(hostname) - 1] ?? answers.at(-1) ?? [];
      return Promise.resolve(found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    };
    return { lookedUp, resolve };
  };

  test('is looked up once, and the connection goes to what was checked', async () => {
    const { lookedUp, resolve } = lookups(['127.0.0.1']);
    const delivery = await deliver({ url: atName() }, { resolve });
    expect(delivery).toEqual({ kind: 'delivered' });
    expect(lookedUp).toEqual(['oms.example']);
  });

  test('is checked again at each call, so a name that comes to lead elsewhere is not called', async () => {
    const { lookedUp, resolve } = lookups(['127.0.0.1'], ['169.254.169.254']);
    const rebound = sender({ url: atName() }, { resolve });
    expect(await rebound.deliver('shop', notification)).toEqual({ kind: 'delivered' });
    expect(await rebound.deliver('shop', notification)).toMatchObject({ kind: 'refused' });
    expect(lookedUp).toHaveLength(2);
    expect(receiver.received).toHaveLength(1);
  });

  test.for([
    ['this machine, unless it may be', ['127.0.0.1'], false],
    ['a private network, unless it may be', ['10.0.0.1'], true],
    ['a private network beside a permitted address', ['127.0.0.1', '10.0.0.1'], true],
    ['link-local addresses, the metadata of clouds', ['169.254.169.254'], true],
    ['this machine written as IPv6', ['::ffff:127.0.0.1'], false],
    ['nothing', [], true],
  ] as const)('does not lead to %s', async ([, led, allowLoopback]) => {
    const { resolve } = lookups(led);
    const delivery = await deliver({ url: atName() }, { resolve, allowLoopback });
    expect(delivery).toMatchObject({ kind: 'refused' });
    expect(receiver.received).toEqual([]);
  });

  test.for(['http://127.0.0.1:9/', 'http://[::1]:9/', 'http://2130706433:9/', 'http://0x7f.1:9/'])(
    'may not stand in the URL as a number when it may not be called: %s',
    async (url) => {
      const delivery = await deliver({ url }, { allowLoopback: false });
      expect(delivery).toMatchObject({ kind: 'refused' });
    },
  );

  test('that can’t be found is tried again later', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }));
    const delivery = await deliver({ url: atName() }, { resolve });
    expect(delivery).toEqual({
      kind: 'failed',
      reason: 'The webhook shop could not be reached (ENOTFOUND).',
    });
  });
});
