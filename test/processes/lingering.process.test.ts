import { expect, vi } from 'vitest';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';
import { longTests, waiting } from '../support/waiting.js';
import { test } from './support/deployment.js';
import { pixPayout } from './support/oms.js';

const codes = Array.from({ length: 25 }, (_, at) => `lingering-${String(at + 1)}`);

// Temporal notices a lost worker by the bound of a creating activity, 75 s.
vi.setConfig(longTests);

test('a worker killed while its calls linger: what the service had answered is known, and nothing is sent twice', async ({
  deployment,
}) => {
  const { oms, sandbox } = deployment;
  const codec = new EncryptionCodec(parseKeyRing(deployment.env.PAYLOAD_KEYS ?? ''));
  /** Whether the latest heartbeat has the answer of the service: the first one has the mark. */
  const isRecorded = async (code: string) => {
    const { pendingActivities } = (await deployment.described(`payout-${code}`)) ?? {};
    const beats = (pendingActivities ?? []).flatMap(
      ({ heartbeatDetails }) => heartbeatDetails?.payloads ?? [],
    );
    const details = await codec.decode(beats);
    return details.some(({ data }) => new TextDecoder().decode(data ?? undefined).includes('"answered"'));
  };
  const recorded = async () => {
    const answers = await Promise.all(codes.map(async (code) => ((await isRecorded(code)) ? [code] : [])));
    return answers.flat();
  };

  // No read shows them in time, and no list ever does.
  const unreadable = { effect: 'none', status: 503 } as const;
  sandbox.fault({ endpoint: 'GET /v1/payout/{id}', times: 10_000, fault: unreadable });
  const [worker] = await Promise.all([deployment.worker(), deployment.gateway()]);
  const pix = 'sandbox+unlisted@example.com';
  const posted = Promise.all(codes.map((code) => oms.post('/v1/payouts/pix', pixPayout(code, { pix }))));
  await vi.waitUntil(async () => (await recorded()).length > 0, waiting);
  await worker.end('SIGKILL');
  const known = await recorded();
  sandbox.clearFaults();
  await Promise.all([posted, deployment.worker()]);

  expect(known).not.toEqual([]);
  for (const code of known) {
    const state = await oms.until(`/v1/payouts/${code}`, 'done', 'submission_unknown', 'rejected');
    expect(state).toMatchObject({ status: 'done', attention: null });
  }
  const { payouts } = sandbox.ledger();
  expect(new Set(payouts.map(({ partner_code: code }) => code)).size).toBe(payouts.length);
});
