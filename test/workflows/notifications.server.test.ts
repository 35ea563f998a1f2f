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
 * `test/webhooks/webhook-sender.test.ts`, `test/activities/notifying.test.ts`, `webhooks.server.test.ts`.
 */

describe('an OMS with a webhook', () => {
  test(
    'is notified of each change of status in order, and of nothing personal',
    recordedAs('payout-that-notifies-its-oms'),
    async ({ oms, sandbox, stack }) => {
      const code = freshCode();
      const payout = await oms.start(code, { watch_days: 1, notify: { webhook: 'shop' } });
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
      expect(last?.notification).toEqual({
        id: last?.id ?? '',
        ...{
          type: 'payment.status_changed',
          sequence: 3,
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
        },
        payment: {
          ...{ kind: 'payout', partner_code: code, workflow_id: `payout-${code}`, started_by: null },
          ...{ service_id: done.service_id, status: 'done', attention: null, value: 150.25 },
          ...{ attempt: 1, cause: null },
        },
      } satisfies PaymentNotification);
      expect(last?.id).toMatch(/-3$/);
      expect(JSON.stringify(oms.received(code))).not.toMatch(/maria|52998224725|5511987654321/i);
      expect(new Set(oms.received(code).map(({ id }) => id)).size).toBe(3);

      // Nothing is left to deliver, and no workflow is started for it.
      await payout.result('1 day');
      const { events } = await stack.handleOf(payout).fetchHistory();
      expect(events?.some((event) => event.startChildWorkflowExecutionInitiatedEventAttributes)).toBe(false);
    },
  );

  test.runIf(inFull())(
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

// Last: the server that skips time holds its clock for the call that was under way when its workflow closed.
test(
  'a payment that closes before the OMS was notified returns its result without delay, and the OMS is notified in order all the same',
  recordedAs('payout-closed-before-its-oms-is-notified'),
  async ({ oms, receiver, sandbox, stack }) => {
    const code = freshCode();
    receiver.answerBy(answerStatus(503));
    const payout = await oms.start(code, { watch_days: 0, notify: { webhook: 'shop' } });
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'done');
    await payout.signal('statusHint', { source: 'test' });
    expect(await payout.result('1 second')).toMatchObject({ status: 'done', closed: true });

    receiver.answerBy(accept);
    const before = oms.received(code).length;
    await oms.untilReceived(payout, code, before + 2, '1 second');
    expect(oms.receivedStatuses(code).slice(before)).toEqual([
      [1, 'claimed'],
      [2, 'done'],
    ]);
    const { events } = await stack.handleOf(payout).fetchHistory();
    const [child] = (events ?? []).flatMap(
      ({ childWorkflowExecutionStartedEventAttributes: it }) => it?.workflowExecution?.workflowId ?? [],
    );
    await stack.client.workflow.getHandle(child ?? '').result();
  },
);
