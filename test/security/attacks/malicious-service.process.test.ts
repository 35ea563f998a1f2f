import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { lineFault } from '../../../src/domain/plain-text.js';
import { parseKeyRing } from '../../../src/temporal/key-ring.js';
import { EncryptionCodec } from '../../../src/temporal/payload-codec.js';
import { createOms } from '../../processes/support/oms.js';
import type { Oms } from '../../processes/support/oms.js';
import { longTests, waiting } from '../../support/waiting.js';
import { readHistories } from '../support/histories.js';
import { json, startHostileService } from '../support/hostile-service.js';
import type { HostileService, Lie } from '../support/hostile-service.js';
import { brokenAnswers, falseRecords, redirects } from '../support/lies.js';
import { findings, planted, plantedCvv, plantedWords } from '../support/secrets.js';
import { newKey, setStage } from '../support/stage.js';
import type { Stage } from '../support/stage.js';

vi.setConfig(longTests);

const words = plantedWords();
const token = `token-${randomBytes(16).toString('hex')}`;
const secret = [
  ...[planted('pan', words.pan), plantedCvv(words.cvv), planted('token', token)],
  planted('client_secret', words.clientSecret),
];
const personal = [planted('cpf', words.cpf), planted('email', words.email), planted('pix', words.pix)];
const payloadKeys = newKey('k1');
const apiKey = randomBytes(16).toString('hex');
const settings = { POSTBACK_KEYS: newKey('k1'), PAYLOAD_KEYS: payloadKeys };
const customer = { name: 'Ana Lima', email: words.email, phone: '+5511987654321', document: words.cpf };

let service: HostileService;
let stage: Stage;
let oms: Oms;
let bytesOfEndless = 0;
const plans = {
  ...brokenAnswers((bytes) => (bytesOfEndless += bytes)),
  ...redirects('http://127.0.0.1:1'),
  ...falseRecords('http://127.0.0.1:1'),
};
const codeOf = (name: string) => name.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 64);

const pix = (partner_code: string) => ({
  ...{ partner_code, value: 25, pix: words.pix, document: words.cpf, email: words.email },
  ...{ first_name: 'Ana', last_name: 'Lima' },
});
const order = (partner_code: string) => ({
  order: { partner_code, value: 99.9, description: 'Two tickets' },
  customer,
  credit_card: {
    ...{ holder: 'ANA LIMA', number: words.pan, cvv: words.cvv, brand: 'visa' },
    due_date: `12/${String(new Date().getUTCFullYear() + 2)}`,
  },
});

/** A busy gateway answers 503: then it is sent again. */
async function start(path: string, body: object): Promise<void> {
  await vi.waitUntil(async () => {
    const { status } = await oms.post(path, body);
    if (status === 202 || status === 200) return true;
    expect(status).toBe(503);
    return false;
  }, waiting);
}

/** Repeats all that it was shown. */
const echo =
  (status: number, more: object = {}): Lie =>
  (response, asked) => {
    json(status, { ...more, message: asked.body, [words.pan]: asked.headers })(response, asked);
  };
const orders: Readonly<Record<string, readonly [status: string, creation: Lie]>> = {
  'order-refused': ['rejected', echo(422)],
  'order-broken': ['submission_unknown', echo(500)],
  'order-taken': ['submission_unknown', echo(201, { id: words.pan, status: words.pan })],
  'order-of-another': ['waiting_payment', json(201, { id: 'their-order', status: 'waiting_payment' })],
  // An identifier of its own: two orders that share one are no longer followed.
  'order-paid-by-another': ['submitting', json(201, { id: 'their-paid-order', status: 'paid' })],
};

beforeAll(async () => {
  service = await startHostileService(token);
  Object.assign(plans, redirects(service.strangerUrl), falseRecords(service.strangerUrl));
  stage = await setStage(words.clientSecret, { serviceUrl: service.url });
  oms = createOms(stage.gatewayUrl, apiKey);
  const gatewaySettings = { ...settings, API_KEYS: `shop:${apiKey}:oms`, POLL_SCALE: '0.01' };
  await Promise.all([stage.gateway(gatewaySettings), stage.worker(settings)]);
  for (const [name, { creation, reads }] of Object.entries(plans))
    service.plan(codeOf(name), creation, reads);
  const theirs = (id: string) =>
    json(200, { id, partner_code: 'of-somebody-else', status: 'paid', value: 99.9 });
  const reads = Object.fromEntries(['their-order', 'their-paid-order'].map((id) => [id, theirs(id)]));
  for (const [code, [, creation]] of Object.entries(orders)) service.plan(code, creation, reads);
  for (const name of Object.keys(plans)) await start('/v1/payouts/pix', pix(codeOf(name)));
  for (const code of Object.keys(orders)) await start('/v1/orders/card', order(code));
}, 480_000);

afterAll(async () => {
  await stage.close();
  await service.close();
});

describe('a payout that is answered by', () => {
  test.for(Object.keys(plans))('%s is sent once, and believed no further than is proven', async (name) => {
    const plan = plans[name];
    const path = `/v1/payouts/${codeOf(name)}`;
    const shown = async () => {
      const { status, attention } = await oms.state(path);
      return { status, attention };
    };
    await expect.poll(shown).toEqual({ status: plan?.status, attention: plan?.attention });
    const state = await oms.state(path);
    expect(lineFault(JSON.stringify(state))).toBeUndefined();
    expect(service.creations(codeOf(name))).toBe(1);
  });
});

describe('an order that is answered by', () => {
  test.for(Object.entries(orders))('%s is sent once, and shows no card', async ([code, [status]]) => {
    const state = await oms.until(`/v1/orders/${code}`, status);
    expect(findings(JSON.stringify(state), secret)).toEqual([]);
    expect(lineFault(JSON.stringify(state))).toBeUndefined();
    expect(service.creations(code)).toBe(1);
  });

  test('the identifier of another merchant’s order is never refunded', async () => {
    const path = '/v1/orders/order-of-another';
    await expect.poll(async () => (await oms.state(path)).attention).toBe('inconsistent_answer');
    await oms.post(`${path}/refund`, { reason: 'asked for' });
    await oms.post(`${path}/refund`, { service_id: 'their-order', reason: 'asked for' });
    expect(service.asked.filter(({ method }) => method === 'PUT')).toEqual([]);
  });
});

test('nobody follows the service elsewhere, neither with the client secret nor with the token', () => {
  expect(service.asked.filter(({ path }) => path === '/v1/auth').length).toBeGreaterThan(1);
  expect(service.strangerConnections()).toBe(0);
});

test('it gets nothing but what its interface has: no cookie of its own, no address of its making', () => {
  for (const { path, headers } of service.asked) {
    expect(path).toMatch(/^\/v1\/(auth|order|payout\/pix|payouts\?[\w=&%-]+|(payout|order)\/[\w%.-]+)$/);
    expect(headers.cookie).toBeUndefined();
  }
  expect(service.asked.map(({ path }) => path)).toContain(
    `/v1/payout/${encodeURIComponent('../../v1/payout/pix?a=b#')}`,
  );
});

test('no more of an endless answer is read than the largest that is of use', () => {
  expect(bytesOfEndless).toBeGreaterThan(0);
  // Of the two creating calls a megabyte each, and what the sockets hold.
  expect(bytesOfEndless).toBeLessThan(16 * 1_048_576);
});

test('what it repeats stands in no history, file or log', async () => {
  const histories = await readHistories(stage, new EncryptionCodec(parseKeyRing(payloadKeys)));
  expect(histories.workflowIds).toEqual(
    expect.arrayContaining(Object.keys(orders).map((code) => `order-${code}`)),
  );
  expect(findings(histories.decoded, secret)).toEqual([]);
  expect(findings(histories.raw, [...secret, ...personal])).toEqual([]);
  for (const { name, content } of await stage.databaseFiles())
    expect(findings(content, [...secret, ...personal]), name).toEqual([]);
  for (const program of stage.programs)
    expect(findings(program.output(), [...secret, ...personal])).toEqual([]);
});

test('after all of this gateway and worker pay as before', async () => {
  service.plan('honest', json(201, { id: 'honest', status: 'claimed' }), {
    honest: json(200, { id: 'honest', partner_code: 'honest', status: 'done', value: 25 }),
  });
  await oms.post('/v1/payouts/pix', pix('honest'));
  expect((await oms.until('/v1/payouts/honest', 'done')).attention).toBeNull();
});
