import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { ownPort } from '../support/own-port.js';
import { longTests } from '../support/waiting.js';
import { deploy, type Deployment } from './support/deployment.js';
import { pixPayout } from './support/oms.js';
import { runProgram, type Program } from './support/program.js';

vi.setConfig(longTests);

let deployment: Deployment;
let dataDir: string;

beforeAll(async () => {
  deployment = await deploy();
  await deployment.gateway();
  dataDir = await mkdtemp(join(tmpdir(), 'foreign-keys-'));
});
afterAll(async () => {
  await deployment.close();
  await rm(dataDir, { recursive: true });
});

const otherKeys = () => ({ PAYLOAD_KEYS: `test:${randomBytes(32).toString('base64')}` });
const gatewaySettings = async () => ({
  DATA_DIR: dataDir,
  GATEWAY_PORT: String(await ownPort()),
  API_KEYS: `test:${randomBytes(16).toString('hex')}:oms`,
});

/** A process that has other PAYLOAD_KEYS, or none. */
async function foreign(
  role: 'gateway' | 'worker' | 'start',
  settings: Readonly<Record<string, string>>,
): Promise<Program> {
  const own = role === 'worker' ? {} : await gatewaySettings();
  const program = runProgram([role], { ...deployment.env, ...own, ...settings });
  onTestFinished(async () => {
    await program.end('SIGKILL');
  });
  return program;
}

async function expectRefused(program: Program): Promise<void> {
  expect(await program.exited).toEqual({ code: 2, signal: null });
  expect(program.output()).toContain('PAYLOAD_KEYS do not open what is there: ');
  expect(program.output()).toContain('it has polled and served nothing');
  expect(program.output()).not.toContain('is running');
}

// Before a worker runs.
test.each(['gateway', 'worker', 'start'] as const)(
  'a gateway alone is enough: a %s with other keys ends before it polls or listens, and so does one that stores in plaintext',
  async (role) => {
    await expectRefused(await foreign(role, otherKeys()));
    await expectRefused(await foreign(role, { PAYLOAD_KEYS: 'none' }));
  },
);

test('a worker with other keys that is started while 40 payouts move ends, and all 40 are paid once', async () => {
  await deployment.worker();
  const codes = Array.from({ length: 40 }, (_, index) => `move-${String(index)}`);
  const pay = (some: string[]) =>
    Promise.all(some.map((code) => deployment.oms.post('/v1/payouts/pix', pixPayout(code))));
  await pay(codes.slice(0, 20));
  const joining = await foreign('worker', otherKeys());
  await pay(codes.slice(20));
  await Promise.all(codes.map((code) => deployment.oms.until(`/v1/payouts/${code}`, 'done')));
  await expectRefused(joining);
  const paid = deployment.sandbox.ledger().payouts.map(({ partner_code: code }) => code);
  expect(paid.toSorted()).toEqual(codes.toSorted());
});
