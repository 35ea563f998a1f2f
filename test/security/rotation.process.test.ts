import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createOms, pixPayout } from '../processes/support/oms.js';
import type { Oms } from '../processes/support/oms.js';
import { longTests, waiting } from '../support/waiting.js';
import { newKey, setStage } from './support/stage.js';
import type { Stage, Watched } from './support/stage.js';

vi.setConfig(longTests);

type Keys = { readonly payload: string; readonly postback: string; readonly api: string };

const keys = (id: string): Keys => ({
  payload: newKey(id),
  postback: newKey(id),
  api: `shop:${randomBytes(16).toString('hex')}:oms`,
});
const older = keys('year-2030');
const newer = keys('year-2031');

let stage: Stage;
let worker: Watched;
let gateway: Watched;
const omsOf = ({ api }: Keys): Oms => createOms(stage.gatewayUrl, api.split(':')[1] ?? '');

/** Each process, one after the other, with these keys: the first of them makes what is new. */
async function restartWith(...rings: Partial<Keys>[]): Promise<void> {
  const list = (part: keyof Keys) => rings.flatMap((ring) => ring[part] ?? []).join();
  const settings = { PAYLOAD_KEYS: list('payload'), POSTBACK_KEYS: list('postback') };
  await (worker as Watched | undefined)?.end('SIGTERM');
  worker = await stage.worker(settings);
  await (gateway as Watched | undefined)?.end('SIGTERM');
  gateway = await stage.gateway({ ...settings, API_KEYS: list('api') });
}

/** Starts some payouts a second until it is stopped, and four at least; returns their codes. */
function load(): { stop(): Promise<string[]> } {
  const codes: string[] = [];
  let stopped = false;
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const running = (async () => {
    for (let number = 1; !isOver && (!stopped || codes.length < 4); number += 1) {
      const code = `load-${String(number)}`;
      // While the gateway is being replaced nobody answers; the same request again is safe.
      await vi.waitUntil(async () => isOver || (await isStarted(code)), waiting);
      codes.push(code);
      await sleep(200);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await running;
      return codes;
    },
  };
}

async function isStarted(code: string): Promise<boolean> {
  const answers = await Promise.all(
    [older, newer].map(async (ring) => {
      const { status } = await omsOf(ring)
        .post('/v1/payouts/pix', pixPayout(code))
        .catch(() => ({ status: 0 }));
      return [200, 201, 202].includes(status);
    }),
  );
  return answers.includes(true);
}

beforeAll(async () => {
  stage = await setStage(randomBytes(16).toString('hex'));
});
afterAll(() => stage.close());

test('keys change under load: every payment stays readable, old addresses stay good, a key that is gone is named', async () => {
  await restartWith(older);
  const open = ['open-1', 'open-2', 'open-3'];
  await Promise.all(
    open.map((code) =>
      omsOf(older).post(
        '/v1/payouts/pix',
        pixPayout(code, { pix: 'sandbox+stuck+postback-silent@example.com' }),
      ),
    ),
  );
  await Promise.all(open.map((code) => omsOf(older).until(`/v1/payouts/${code}`, 'claimed')));
  const oldAddresses = stage.relay.notificationUrls();

  const underLoad = load();
  await restartWith(older, newer);
  await restartWith(newer, older);
  const oms = omsOf(newer);
  for (const code of open) {
    expect(await oms.state(`/v1/payouts/${code}`)).toMatchObject({ status: 'claimed' });
  }
  const codes = await underLoad.stop();
  // A call that was given to a worker just as it left is not made again: it is called unknown when its time is over.
  const ends = await Promise.all(
    codes.map((code) => oms.until(`/v1/payouts/${code}`, 'done', 'submission_unknown')),
  );
  const done = ends.flatMap(({ partner_code: code, status }) => (status === 'done' ? [code] : []));
  const paid = stage.sandbox.ledger().payouts.map(({ partner_code: code }) => code);
  expect(paid.toSorted()).toEqual([...new Set(paid)].toSorted());
  expect(paid).toEqual(expect.arrayContaining(done));
  for (const code of ['settled-1', 'settled-2', 'settled-3']) {
    await oms.post('/v1/payouts/pix', pixPayout(code));
    await oms.until(`/v1/payouts/${code}`, 'done');
  }
  for (const program of stage.programs) expect(program.output()).not.toContain('PAYLOAD_KEYS');

  stage.sandbox.setPayoutStatus('open-1', 'done');
  expect(oldAddresses).toHaveLength(open.length);
  for (const address of oldAddresses) expect((await fetch(address, { method: 'POST' })).status).toBe(200);
  await oms.until('/v1/payouts/open-1', 'done');
  expect(await omsOf(older).post('/v1/payouts/pix', pixPayout('open-2'))).toMatchObject({ status: 409 });

  await restartWith(newer, { payload: older.payload });
  expect(await omsOf(older).post('/v1/payouts/pix', pixPayout('refused'))).toMatchObject({ status: 401 });
  const [oldAddress = ''] = oldAddresses;
  expect((await fetch(oldAddress, { method: 'POST' })).status).toBe(404);
  const { payload: PAYLOAD_KEYS, postback: POSTBACK_KEYS, api: API_KEYS } = newer;
  const named = 'key year-2030, which PAYLOAD_KEYS does not hold';
  await expect(stage.worker({ PAYLOAD_KEYS, POSTBACK_KEYS })).rejects.toThrow(named);
  await expect(stage.gateway({ PAYLOAD_KEYS, POSTBACK_KEYS, API_KEYS })).rejects.toThrow(named);
  stage.sandbox.setPayoutStatus('open-2', 'done');
  await oms.until('/v1/payouts/open-2', 'done');
});
