import { randomBytes, randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCardStoreActivities } from '../../activities/index.js';
import { CardStore } from '../../src/card-store/card-store.js';
import type { PayoutState } from '../../src/contract/state.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { ownTokens } from '../support/own-tokens.js';
import { cardOrder, freshCode, testCard, transferPayout } from '../support/requests.js';
import { startSendingRig, type SendingRig } from '../support/sending-rig.js';
import { testDataConverter } from '../support/temporal-data-converter.js';

let rig: SendingRig;
beforeAll(async () => {
  rig = await startSendingRig();
});
afterEach(() => rig.finish());
afterAll(() => rig.close());

const made = (code: string) =>
  rig.sandbox
    .ledger()
    .payouts.filter(({ partner_code: sent }) => sent.startsWith(code))
    .map(({ partner_code: sent }) => sent);
const stateOf = (workflowId: string) =>
  rig.server.client.workflow.getHandle(workflowId).query<PayoutState>('state');
const timelineOf = async (workflowId: string) =>
  (await stateOf(workflowId)).timeline.map(({ what }) => what).join();

describe('a run that came about by a reset never says that nothing was sent', () => {
  test('not when it is cancelled: the payout that the former run made is found', async () => {
    const [code, taskQueue] = [freshCode(), randomUUID()];
    const handle = await rig.startPayout(code, taskQueue);
    await rig.working(taskQueue, () => rig.untilStatus(handle, 'claimed'));
    const again = await rig.resetToStart(handle);
    await again.cancel();
    await rig.working(taskQueue, () => rig.untilStatus(again, 'claimed'));
    expect(await rig.working(taskQueue, () => timelineOf(handle.workflowId))).toContain(
      'This run came about by a reset',
    );
    expect(made(code)).toEqual([code]);
  });

  test('not when the account that it had validated is not answered for again', async () => {
    const [code, taskQueue] = [freshCode(), randomUUID()];
    rig.sandbox.fault({
      endpoint: 'POST /v1/account/validate',
      partner_code: code,
      fault: { status: 200, body: { id: '77', valid: true } },
    });
    const handle = await rig.server.client.workflow.start('payout', {
      workflowId: `payout-${code}`,
      taskQueue,
      args: [transferPayout(code, { validate_account: true, poll_scale: 0.000_05 })],
    });
    await rig.working(taskQueue, async () => {
      await rig.untilStatus(handle, 'claimed');
      await rig.untilStatus(await rig.resetToStart(handle), 'claimed');
    });
    expect(made(code)).toEqual([code]);
  });

  test('not when the gateway that held the card is gone: the order awaits a word, not a card', async () => {
    const [code, taskQueue] = [freshCode(), randomUUID()];
    const desk = new CardStore(`card-desk-${randomUUID()}`);
    const service = createPaymentsService({
      ...{ baseUrl: rig.sandbox.url, clientId: 'rig', clientSecret: 'secret' },
    });
    const deskWorker = await Worker.create({
      connection: rig.server.connection,
      dataConverter: testDataConverter,
      taskQueue: desk.taskQueue,
      activities: createCardStoreActivities({
        ...{ service, tokens: ownTokens(service), cardStore: desk },
        ...{ publicUrl: 'http://127.0.0.1:9', postbackKeys: [randomBytes(32)] },
      }),
    });
    const { card_ref, task_queue } = desk.put(testCard);
    const handle = await rig.server.client.workflow.start('cardOrder', {
      workflowId: `order-${code}`,
      taskQueue,
      args: [cardOrder(code, 'Two tickets', { card: { card_ref, task_queue }, poll_scale: 0.1 })],
    });
    await rig.working(taskQueue, async () => {
      await deskWorker.runUntil(() => rig.untilStatus(handle, 'waiting_payment'));
      await desk.close();
      const again = await rig.resetToStart(handle);
      // The gateway's queue is given 30 seconds.
      while ((await stateOf(again.workflowId)).status === 'submitting') {
        const wait = { statuses: ['submission_unknown', 'awaiting_card'], timeout_seconds: 30 };
        await again.executeUpdate('awaitStatus', { args: [wait] });
      }
      expect(await stateOf(again.workflowId)).toMatchObject({
        status: 'submission_unknown',
        attention: 'submission_unknown',
      });
    });
    expect(rig.sandbox.ledger(code).orders).toMatchObject([{ times_submitted: 1 }]);
  });
});

describe('an attempt that was made before a reset', () => {
  test('is found before a retry in the fresh run would make it again, and followed', async () => {
    const [code, taskQueue] = [freshCode(), randomUUID()];
    const handle = await rig.startPayout(code, taskQueue, '422');
    const retry: { args: [object] } = { args: [{ corrections: { pix: 'right@example.com' } }] };
    await rig.working(taskQueue, async () => {
      await rig.untilStatus(handle, 'rejected');
      await handle.executeUpdate('retryPayout', retry);
      await rig.untilStatus(handle, 'claimed');
      rig.sandbox.setPayoutStatus(`${code}-r2`, 'done');

      const again = await rig.resetToStart(handle);
      const done = await rig.untilStatus(again, 'done');
      expect(done.attempts).toMatchObject([{ status: 'not_paid' }, { number: 2, status: 'done' }]);
    });
    expect(made(code)).toEqual([`${code}-r2`]);
  });
});
