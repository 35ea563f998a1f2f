import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { isFreePort } from '../../src/dev/free-port.js';
import { cardOrder, pixPayout, secrets, type Oms } from './support/oms.js';
import type { Program } from './support/program.js';
import { createHome, isAlive } from './support/started.js';
import type { Home } from './support/started.js';

let home: Home;
let program: Program | undefined;

/** The program of all tests, started again by the first of them after one that has ended it. */
async function running(): Promise<Oms> {
  program ??= await home.start();
  return home.oms(program);
}

async function end(signal: NodeJS.Signals): Promise<unknown> {
  const ended = program;
  program = undefined;
  return ended?.end(signal);
}

beforeAll(async () => {
  home = await createHome();
});
afterAll(async () => {
  await end('SIGTERM');
  await home.remove();
});

test('a card order settles with postbacks switched off', async () => {
  const oms = await running();
  await home.sandbox('POST', '/sandbox/postbacks', { postbacks: 'off' });
  await oms.post('/v1/orders/card', cardOrder('no-postbacks'));
  expect(await oms.until('/v1/orders/no-postbacks', 'compensated')).toMatchObject({ attention: null });
  expect(await home.sandbox('GET', '/sandbox/ledger')).toMatchObject({
    orders: [{ partner_code: 'no-postbacks', times_charged: 1 }],
    postbacks: { sent: 0 },
  });
  await home.sandbox('POST', '/sandbox/postbacks', { postbacks: 'on' });
});

test('a healthy start logs no warning, and a payment none either', async () => {
  const oms = await running();
  await oms.post('/v1/payouts/pix', pixPayout('quiet'));
  await oms.until('/v1/payouts/quiet', 'done');
  const log = (await home.files()).find(({ name }) => name === 'durable-payments.log');
  const lines = log?.content.toString().trimEnd().split('\n') ?? [];
  const entry = z.object({ level: z.string(), msg: z.string() });
  expect(lines.length).toBeGreaterThan(5);
  const warnings = lines.filter((line) => {
    const { level, msg } = entry.parse(JSON.parse(line));
    // TMPRL1104: a workflow task took seconds, as it does where the machine is busy.
    return level !== 'info' && !msg.startsWith('[TMPRL1104]');
  });
  expect(warnings).toEqual([]);
});

test('a stop leaves no process behind, and the next start goes on', async () => {
  const payout = pixPayout('stuck', { pix: 'sandbox+stuck@example.com' });
  const first = await running();
  await first.post('/v1/payouts/pix', payout);
  await first.until('/v1/payouts/stuck', 'claimed');
  const temporalPid = await home.temporalPid();
  expect(isAlive(temporalPid)).toBe(true);
  expect(await end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(isAlive(temporalPid)).toBe(false);
  expect(await isFreePort(Number(home.env.GATEWAY_PORT), '127.0.0.1')).toBe(true);

  const oms = await running();
  expect(await oms.state('/v1/payouts/stuck')).toMatchObject({ status: 'claimed' });
  await home.sandbox('POST', '/sandbox/payouts/stuck/status', { status: 'done' });
  expect(await oms.until('/v1/payouts/stuck', 'done')).toMatchObject({ attention: null });
  expect(await oms.post('/v1/payouts/pix', payout)).toMatchObject({ status: 200 });
  expect(await end('SIGINT')).toEqual({ code: 0, signal: null });
});

test('killed while a payout is open, it takes Temporal along, and the next start goes on', async () => {
  const first = await running();
  await first.post('/v1/payouts/pix', pixPayout('outlives', { pix: 'sandbox+stuck@example.com' }));
  await first.until('/v1/payouts/outlives', 'claimed');
  await home.sandboxKeeps('outlives');
  await end('SIGKILL');

  const oms = await running();
  await home.sandbox('POST', '/sandbox/payouts/outlives/status', { status: 'done' });
  expect(await oms.until('/v1/payouts/outlives', 'done')).toMatchObject({ attention: null });
});

test('no card, token, tax id or e-mail is readable in what is stored and logged', async () => {
  const oms = await running();
  await Promise.all([
    oms.post('/v1/orders/card', cardOrder('quiet-order')),
    oms.post('/v1/payouts/pix', pixPayout('quiet-payout')),
    oms.post('/v1/orders/card', { ...cardOrder('quiet-refusal'), surplus: secrets.number }),
  ]);
  await Promise.all([
    oms.until('/v1/orders/quiet-order', 'compensated'),
    oms.until('/v1/payouts/quiet-payout', 'done'),
  ]);
  const whileRunning = await home.files();
  const started = program;
  await end('SIGTERM');
  const output = { name: 'output', content: Buffer.from(started?.output() ?? '') };
  const stored = [...whileRunning, ...(await home.files()), output];
  expect(stored.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['temporal.db', 'temporal.db-wal', 'durable-payments.log', 'temporal.log']),
  );
  // The sandbox is the service: what it keeps of its own token and secret is in sandbox.json, and nowhere else.
  const { client_secret: clientSecret, snapshot } = JSON.parse(
    String(stored.find(({ name }) => name === 'sandbox.json')?.content),
  ) as { client_secret: string; snapshot: { token: { token: string } } };
  const { cvv, ...longSecrets } = secrets;
  // Three or four digits are found anywhere: a CVV counts where it stands as a text of its own.
  const cvvs = [`"${cvv}"`, `\\"${cvv}\\"`];
  const hidden = [...Object.values(longSecrets), ...cvvs, clientSecret, snapshot.token.token];
  const found = stored.flatMap(({ name, content }) =>
    hidden
      .filter((secret) => content.includes(secret) && !(name === 'sandbox.json' && isOfSandbox(secret)))
      .map((secret) => `${secret} in ${name}`),
  );
  expect(found).toEqual([]);
  expect(
    stored.some(({ name, content }) => name.startsWith('temporal.db') && content.includes('quiet-payout')),
  ).toBe(true);

  function isOfSandbox(secret: string): boolean {
    return secret === clientSecret || secret === snapshot.token.token;
  }
});

test('a second start on the same data names who has it, and harms nothing', async () => {
  const oms = await running();
  await oms.post('/v1/payouts/pix', pixPayout('unharmed'));
  await oms.until('/v1/payouts/unharmed', 'done');
  const second = await home.cli('start');
  expect(second.code).toBe(2);
  expect(second.output).toMatch(/in use by process|port \d+ is taken/i);
  expect(await oms.state('/v1/payouts/unharmed')).toMatchObject({ status: 'done' });
});
