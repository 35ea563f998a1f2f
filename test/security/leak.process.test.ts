import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';
import { readHistories } from './support/histories.js';
import type { Histories } from './support/histories.js';
import { callsOf } from './support/lifecycles.js';
import type { Answered } from './support/lifecycles.js';
import { startOtlpCollector } from '../support/otlp-collector.js';
import type { OtlpCollector } from '../support/otlp-collector.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import type { WebhookReceiver } from '../support/webhook-receiver.js';
import { holdsInMemory } from './support/control.js';
import { findings, planted, plantedCvv, plantedWords } from './support/secrets.js';
import type { Planted } from './support/secrets.js';
import { newKey, setStage } from './support/stage.js';
import type { Stage, Watched } from './support/stage.js';

const words = plantedWords();
const card = [planted('pan', words.pan), plantedCvv(words.cvv)];
const personal = [planted('cpf', words.cpf), planted('email', words.email), planted('pix', words.pix)];
const clientSecret = planted('client_secret', words.clientSecret);

const payloadKeys = newKey('k1');
const apiKey = randomBytes(16).toString('hex');
const keys = { POSTBACK_KEYS: newKey('k1'), PAYLOAD_KEYS: payloadKeys };
const codec = new EncryptionCodec(parseKeyRing(payloadKeys));

const everyLifecycle = [
  ...['order-leak-paid', 'order-leak-checkout', 'order-leak-3ds', 'payout-leak-retried'],
  ...['payout-leak-transfer', 'payout-leak-batched', 'account-validation-leak-account'],
  ...['payout-leak-notified', 'bulk-retry-leak'],
];

/** Cards come in at the gateway. The heap of the worker, which sees none, is searched by `npm run test:heaps`. */
const everyHeap = process.env.HEAPS === 'every';

let stage: Stage;
let webhook: WebhookReceiver;
let collector: OtlpCollector;
let answers: readonly Answered[];
let metrics: string;
let heaps: readonly Buffer[];
let histories: Histories;
let stored: { name: string; content: Buffer }[];
/** What the service gave and took as proof: tokens, and client id and secret. */
let credentials: Planted[];

beforeAll(async () => {
  stage = await setStage(words.clientSecret, words.pan);
  webhook = await startWebhookReceiver();
  collector = await startOtlpCollector();
  const settings = {
    ...keys,
    NOTIFY_TARGETS: `shop=${webhook.url}`,
    NOTIFY_SECRETS: `shop=${webhook.secret}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  };
  const gatewaySettings = { ...settings, API_KEYS: `shop:${apiKey}:oms` };
  const calls = callsOf(stage.gatewayUrl, apiKey, words);

  // Every lifecycle, and every fault that the other side can think of.
  const [gateway, worker] = await Promise.all([stage.gateway(gatewaySettings), stage.worker(settings)]);
  await calls.everyStart();
  await calls.everyRefusal();
  await calls.everyEnd();
  await calls.bulkRetry();
  await stage.reconcile(codec);
  await calls.postbacks(stage.relay.notificationUrls());
  metrics = await (await fetch(`${stage.gatewayUrl}/metrics`)).text();
  heaps = await Promise.all((everyHeap ? [gateway, worker] : [gateway]).map(heapOf));

  // Killed with a card at the card store, and while it is being sent.
  await calls.startSlowly();
  await stage.sandbox.until(({ orders }) => orders.some(({ partner_code: code }) => code === 'leak-slow'));
  await gateway.end('SIGKILL');
  await worker.end('SIGKILL');

  // Ended by an error that nobody caught, which knows a card.
  const crashing = [await stage.gateway(gatewaySettings), await stage.worker(settings)];
  await Promise.all(crashing.map((program) => program.end('SIGWINCH')));

  // Neither the service nor a worker answers.
  await stage.relay.down();
  const last = await Promise.all([stage.gateway(gatewaySettings), stage.worker(settings)]);
  await calls.whileDown();
  await Promise.all(last.map((program) => program.end('SIGTERM')));

  answers = calls.answers();
  const webhookSecret = webhook.secret.replace('whsec_', '');
  credentials = [...stage.relay.credentials(), webhookSecret].map((each) => planted('credential', each));
  histories = await readHistories(stage, codec);
  stored = await stage.databaseFiles();
}, 480_000);

/** Connections on which a card came in are kept open for a while, and what they remember with them. */
async function heapOf(program: Watched): Promise<Buffer> {
  let heap = await program.heap();
  for (let looked = 1; looked < 5 && findings(heap, card).length > 0; looked += 1) {
    await sleep(5_000);
    heap = await program.heap();
  }
  return heap;
}

afterAll(async () => {
  await stage.close();
  await webhook.close();
  await collector.close();
});

describe('of what came in, nothing is found', () => {
  const all = () => [...card, ...personal, clientSecret, ...credentials];

  test('in the database of Temporal', () => {
    expect(stored.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['temporal.db', 'temporal.db-wal']),
    );
    for (const { name, content } of stored) expect(findings(content, all()), name).toEqual([]);
  });

  test('in the histories as they are stored', () => {
    expect(histories.workflowIds).toEqual(expect.arrayContaining(everyLifecycle));
    // By the identifier that the service gave the order.
    expect(histories.workflowIds).toContainEqual(expect.stringMatching(/^refund-\w+$/));
    expect(histories.workflowIds).toContainEqual(expect.stringMatching(/^payout-reconciliation-full-/));
    expect(histories.workflowIds).toContainEqual('bulk-retry-leak:1');
    expect(findings(histories.raw, all())).toEqual([]);
  });

  test('in the histories as those read them who have the keys: nothing of a card, a token or the secret', () => {
    expect(findings(histories.decoded, [planted('email', words.email)])).not.toEqual([]);
    expect(findings(histories.decoded, [...card, clientSecret, ...credentials])).toEqual([]);
  });

  test('in logs and whatever else a process has printed', () => {
    for (const program of stage.programs) {
      expect(program.output()).toContain('is running');
      expect(findings(program.output(), all())).toEqual([]);
    }
    expect(stage.programs.filter(({ output }) => output().includes('nobody caught'))).toHaveLength(2);
  });

  test('in what a webhook is sent', () => {
    const sent = webhook.received.map(({ notification }) => notification.payment);
    expect(sent.map(({ status }) => status)).toContain('done');
    expect(findings(JSON.stringify(webhook.received), all())).toEqual([]);
  });

  test('in traces: neither in a name, an attribute or an event of a span, nor in what says whose it is', () => {
    const names = collector.spans().map(({ name }) => name);
    for (const name of ['POST /v1/orders/card', 'StartWorkflow:cardOrder', 'RunActivity:createPixPayout'])
      expect(names).toContain(name);
    // Calls of the service and activities that failed are among them: their errors have words.
    const failed = collector.spans().filter(({ status }) => status.code === 2);
    const namesOfFailed = failed.map(({ name }) => name);
    for (const name of ['POST /v1/order', 'RunActivity:readOrder']) expect(namesOfFailed).toContain(name);
    expect(findings(collector.received(), all())).toEqual([]);
  });

  test('in metrics', () => {
    expect(metrics).toContain('route="/v1/orders/card"');
    expect(findings(metrics, all())).toEqual([]);
  });

  test('in answers: nothing of a card, a token or the secret in any, and nothing at all in errors', () => {
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 202, 400, 409, 413, 415]));
    // On a slow machine a start may be answered before its payment has moved, and a call may be told to come again.
    for (const other of [200, 201, 202, 400, 409, 413, 415, 503]) statuses.delete(other);
    expect([...statuses]).toEqual([]);
    for (const { status, text } of answers) {
      expect(findings(text, status < 400 ? [...card, clientSecret, ...credentials] : all()), text).toEqual(
        [],
      );
    }
  });

  test('in the memory of the gateway: nothing of a card', () => {
    for (const heap of heaps) {
      expect(heap.length).toBeGreaterThan(1_000_000);
      expect(findings(heap, card)).toEqual([]);
    }
  });
});

describe('the search', () => {
  test('finds each secret, however it is written', () => {
    for (const [name, secret] of Object.entries(words)) {
      const looking = name === 'cvv' ? plantedCvv(secret) : planted(name, secret);
      const text = JSON.stringify({ a: 'é', secret });
      const base64 = ['', 'x', 'xy'].map((shift) => Buffer.from(shift + text).toString('base64'));
      const written = [text, JSON.stringify(text), encodeURIComponent(text), ...base64];
      for (const form of written) expect(findings(`…${form}…`, [looking]), form).not.toEqual([]);
    }
    expect(findings('nothing of it', [...card, ...personal, clientSecret])).toEqual([]);
  });

  test('finds each secret in a history and in the database, when one is there', async () => {
    const connection = await Connection.connect({ address: stage.temporal.address });
    await new Client({ connection }).workflow.start('nobodyKnowsIt', {
      workflowId: 'control',
      taskQueue: 'nobody-listens',
      args: [words],
    });
    await connection.close();
    const { raw, decoded } = await readHistories(stage, codec);
    const database = Buffer.concat((await stage.databaseFiles()).map(({ content }) => content));
    for (const secret of [...card, ...personal, clientSecret]) {
      for (const content of [raw, decoded, database]) expect(findings(content, [secret])).not.toEqual([]);
    }
  });

  test('finds a card in the memory of a process that has one', async () => {
    const heap = await holdsInMemory({ number: words.pan, cvv: words.cvv });
    for (const secret of card) expect(findings(heap, [secret])).not.toEqual([]);
  });
});
