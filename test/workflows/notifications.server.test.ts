import { describe, expect } from 'vitest';
import { test } from '../support/lifecycles/notifications.js';
import type { PaymentNotification } from '../../src/contract/notify.js';
import { recordedAs } from '../support/keep-histories.js';
import { statusIs, timelineShows } from '../support/payment.js';
import { freshCode } from '../support/requests.js';
import { inFull } from '../support/tools.js';
import { accept, answerStatus } from '../support/webhook-receiver.js';

/**
 * What is queued, what is called and how it is sent again are rules: `notification-queue.test.ts`,
 * `test/webhooks/webhook-sender.test.ts`, `test/activities/notifying.test.ts`.
 */
const testInFull = test.runIf(inFull());

describe('an OMS with a webhook', () => {
  test(
    'is notified of each change of status in order, and of nothing personal',
    recordedAs('payout-that-notifies-its-oms'),
    async ({ oms, sandbox }) => {
      const code = freshCode();
      const payout = await oms.start(code);
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(code, 'processing');
      await payout.until(statusIs('processing'));
      sandbox.setPayoutStatus(code, 'done');
      const done = await payout.until(statusIs('done'));
      await oms.untilReceived(payout, code, 3);
      expect(oms.receivedStatuses(code)).toEqual([
        [1, 'claimed'],
        [2, 'processing'],
        [3, 'done'],
      ]);
      const last = oms.received(code).at(-1);
      expect(last).toEqual({
        id: last?.notification.id,
        notification: {
          id: expect.stringMatching(/-3$/) as string,
          type: 'payment.status_changed',
          sequence: 3,
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
          payment: {
            kind: 'payout',
            partner_code: code,
            workflow_id: `payout-${code}`,
            started_by: null,
            service_id: done.service_id,
            status: 'done',
            attention: null,
            value: 150.25,
            attempt: 1,
            cause: null,
          },
        } satisfies PaymentNotification,
      });
      expect(JSON.stringify(oms.received(code))).not.toMatch(/maria|52998224725|5511987654321/i);
      expect(new Set(oms.received(code).map(({ id }) => id)).size).toBe(3);
    },
  );

  testInFull(
    'is notified of each attempt with its number, its own identifier and the cause of its failure',
    async ({ oms, sandbox }) => {
      const code = freshCode();
      const payout = await oms.start(code);
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(code, 'error');
      await payout.until((state) => state.attention === 'payout_failed');
      await payout.command('retryPayout');
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(`${code}-r2`, 'done');
      await payout.until(() => oms.receivedStatuses(code).at(-1)?.[1] === 'done');
      const idOf = (sent: string) => String(sandbox.ledger(sent).payouts[0]?.id);
      const payments = oms.received(code).map(({ notification: { payment } }) => payment);
      const shown = (wanted: string) =>
        payments
          .filter(({ status, attention }) => status === wanted && attention === null)
          .map(({ attempt, service_id, cause }) => [attempt, service_id, cause]);
      expect(shown('claimed')).toEqual([
        [1, idOf(code), null],
        [2, idOf(`${code}-r2`), null],
      ]);
      expect(shown('done')).toEqual([[2, idOf(`${code}-r2`), null]]);
      const failed = payments.filter(({ status }) => status === 'error');
      expect(failed.map(({ attempt, service_id, cause }) => [attempt, service_id, cause])).toContainEqual([
        1,
        idOf(code),
        'service_error',
      ]);
      expect(failed.map(({ attention }) => attention)).toContain('payout_failed');
    },
  );

  testInFull('is notified of an unknown outcome with the status that belongs to it', async ({ oms }) => {
    const code = freshCode();
    const notify = { webhook: 'shop' };
    const payout = await oms.start(code, { notify, pix: 'sandbox+dropped-before@example.com' });
    await payout.until(statusIs('submission_unknown'));
    await payout.until(() => oms.received(code).length >= 2);
    const shown = oms.received(code).map(({ notification: { type, payment } }) => [type, payment.status]);
    expect(shown).toEqual([
      ['payment.status_changed', 'submission_unknown'],
      ['payment.attention', 'submission_unknown'],
    ]);
  });

  testInFull(
    'that is down for hours delays no payment, and is notified of everything in order when it is back',
    async ({ oms, receiver, sandbox }) => {
      const code = freshCode();
      receiver.answerBy(answerStatus(503));
      const payout = await oms.start(code);
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(code, 'processing');
      await payout.until(statusIs('processing'));
      sandbox.setPayoutStatus(code, 'done');
      await payout.until(statusIs('done'));
      await oms.untilReceived(payout, code, 8, '1 hour');
      expect(new Set(oms.received(code).map(({ id }) => id)).size).toBe(1);
      expect(oms.receivedStatuses(code).every(([sequence]) => sequence === 1)).toBe(true);

      receiver.answerBy(accept);
      const before = oms.received(code).length;
      await oms.untilReceived(payout, code, before + 3, '1 hour');
      expect(oms.receivedStatuses(code).slice(before)).toEqual([
        [1, 'claimed'],
        [2, 'processing'],
        [3, 'done'],
      ]);
    },
  );

  testInFull(
    'that is down for days misses one change, which the timeline shows, and is notified of the next',
    async ({ oms, receiver, sandbox }) => {
      const code = freshCode();
      receiver.answerBy(answerStatus(500));
      const payout = await oms.start(code);
      await payout.until(statusIs('claimed'));
      const gaveUp = await payout.until(timelineShows('was not notified'), '6 hours');
      expect(gaveUp.timeline.find(({ what }) => what.includes('was not notified'))?.what).toBe(
        'The OMS was not notified of claimed (notification 1): The webhook shop answered 500.',
      );
      receiver.answerBy(accept);
      const before = oms.received(code).length;
      sandbox.setPayoutStatus(code, 'done');
      await payout.until(statusIs('done'), '6 hours');
      await oms.untilReceived(payout, code, before + 1, '1 hour');
      expect(oms.receivedStatuses(code).at(-1)?.[1]).toBe('done');
    },
  );
});

describe('a payment that closes before the OMS was notified', () => {
  const closing = { watch_days: 0, notify: { webhook: 'shop' } };

  test(
    'returns its result without delay, and the OMS is notified in order all the same',
    recordedAs('payout-closed-before-its-oms-is-notified'),
    async ({ oms, receiver, sandbox }) => {
      const code = freshCode();
      receiver.answerBy(answerStatus(503));
      const payout = await oms.start(code, closing);
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(code, 'done');
      await payout.signal('statusHint', { source: 'test' });
      const result = await payout.result('1 second');
      expect(result).toMatchObject({ status: 'done', closed: true });

      receiver.answerBy(accept);
      const before = oms.received(code).length;
      await oms.untilReceived(payout, code, before + 2, '1 second');
      expect(oms.receivedStatuses(code).slice(before)).toEqual([
        [1, 'claimed'],
        [2, 'done'],
      ]);
    },
  );

  testInFull('notifies of a refusal of its input too', async ({ oms }) => {
    const code = freshCode();
    const payout = await oms.start(code, { ...closing, document: '52998224726' });
    expect(await payout.result('1 second')).toMatchObject({ attention: 'invalid_input' });
    await oms.untilReceived(payout, code, 2, '1 second');
    expect(oms.received(code).map(({ notification: { type } }) => type)).toEqual([
      'payment.status_changed',
      'payment.attention',
    ]);
  });
});

describe('a payment that notifies nobody', () => {
  testInFull('costs not one event for it', async ({ oms, sandbox, stack }) => {
    const code = freshCode();
    const payout = await oms.start(code, { watch_days: 0 });
    await payout.until(statusIs('claimed'), '1 second');
    sandbox.setPayoutStatus(code, 'done');
    await payout.signal('statusHint', { source: 'test' });
    await payout.result('1 second');
    const { events } = await stack.handleOf(payout).fetchHistory();
    const activities = (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
    );
    expect(new Set(activities)).toEqual(new Set(['createPixPayout']));
    const notifying = (events ?? []).filter(
      (event) =>
        event.startChildWorkflowExecutionInitiatedEventAttributes ??
        event.signalExternalWorkflowExecutionInitiatedEventAttributes,
    );
    expect(notifying).toEqual([]);
  });
});
