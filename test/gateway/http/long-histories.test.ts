import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { expect, onTestFinished, test } from 'vitest';
import { notificationList } from '../../../src/contract/http/notifications.js';
import { gatewayWithoutTemporal } from '../../support/gateway-without-temporal.js';
import { operatorKey } from '../call.js';

const workflowId = 'payout-long';
const at = '2026-05-01T00:00:00.000Z';

const notification = (sequence: number) => ({
  ...{ id: `n-${String(sequence)}`, type: 'payment.status_changed', sequence, at },
  payment: {
    ...{ kind: 'payout', partner_code: 'long', workflow_id: workflowId, started_by: 'ana', service_id: '1' },
    ...{ status: 'done', attention: null, value: 1, attempt: 1, cause: null },
  },
});
const argument = (value: unknown) => ({ payloads: [defaultPayloadConverter.toPayload(value)] });

/** A run in which one notification was given up. */
function runOf(number: number) {
  const input = argument({ webhook: 'shop', notification: notification(number) });
  return [
    {
      workflowExecutionStartedEventAttributes: {
        workflowType: { name: 'payout' },
        continuedExecutionRunId: number === 1 ? '' : `run-${String(number - 1)}`,
      },
    },
    {
      eventId: 2,
      activityTaskScheduledEventAttributes: { activityType: { name: 'notifyOms' }, input },
    },
    { activityTaskFailedEventAttributes: { scheduledEventId: 2 } },
    { workflowExecutionCompletedEventAttributes: {} },
  ];
}

/** What sends the notification of the latest run again, and waits. */
function resendOf(runs: number) {
  const input = argument({ notify: { webhook: 'shop' }, notifications: [notification(runs)] });
  return [{ workflowExecutionStartedEventAttributes: { workflowType: { name: 'notification' }, input } }];
}

type Kept = { runs: number; resends: number; endless?: boolean };

/** A gateway before a Temporal with a payment of so many runs that was resent so often, and what it is asked. */
function gatewayBefore({ runs, resends, endless = false }: Kept) {
  const asked = { histories: 0, pages: 0 };
  const started = { startTime: msToTs(Date.parse(at)), type: { name: 'payout' }, status: 2 };
  const length = { historyLength: { toNumber: () => 4 } };
  const info = (id: string) => ({ execution: { workflowId: id, runId: 'run' }, ...started, ...length });
  const answers = {
    describeWorkflowExecution: () => ({ workflowExecutionInfo: info(workflowId) }),
    getWorkflowExecutionHistory: ({ execution }: { execution: { workflowId: string; runId?: string } }) => {
      asked.histories += 1;
      const { workflowId: id, runId = `run-${String(runs)}` } = execution;
      const events = id === workflowId ? runOf(Number(runId.slice(4))) : resendOf(runs);
      return { history: { events }, nextPageToken: new Uint8Array() };
    },
    listWorkflowExecutions: () => {
      asked.pages += 1;
      const ids = Array.from({ length: resends }, (_, i) => `webhook-resend-r${String(i)}:${workflowId}`);
      return { executions: ids.map(info), nextPageToken: new Uint8Array(endless ? 1 : 0) };
    },
  };
  const inATurn = ([name, answer]: [string, (request: never) => object]) =>
    [name, async (request: never) => Promise.resolve(answer(request))] as const;
  const { app, close } = gatewayWithoutTemporal({}, Object.fromEntries(Object.entries(answers).map(inATurn)));
  onTestFinished(close);
  const listed = async () => {
    const answer = await app.inject({
      url: `/v1/notifications?workflow_id=${workflowId}`,
      headers: { authorization: `Bearer ${operatorKey}` },
    });
    const { notifications, complete } = notificationList.parse(answer.json());
    const shown = notifications.map(({ sequence, delivery }) => `${String(sequence)} ${delivery}`);
    return { shown, complete };
  };
  return { listed, asked };
}

test('of a payment with few runs and resends all notifications are listed, and the list is complete', async () => {
  const { listed, asked } = gatewayBefore({ runs: 3, resends: 2 });
  expect(await listed()).toEqual({ shown: ['1 given_up', '2 given_up', '3 waiting'], complete: true });
  expect(asked).toEqual({ histories: 5, pages: 1 });
});

test.for<[string, Kept, number]>([
  ['runs', { runs: 30, resends: 0 }, 10],
  ['resends', { runs: 1, resends: 30 }, 11],
  ['runs and resends', { runs: 30, resends: 30 }, 20],
])('of a payment with many %s the latest are read, and the list is not complete', async ([, kept, most]) => {
  const { listed, asked } = gatewayBefore(kept);
  const { shown, complete } = await listed();
  expect(complete).toBe(false);
  expect(shown.at(-1)).toBe(`${String(kept.runs)} ${kept.resends === 0 ? 'given_up' : 'waiting'}`);
  expect(shown).toHaveLength(Math.min(kept.runs, 10));
  expect(asked.histories).toBe(most);
});

test('a search for resends that has no end is left, and the list is not complete', async () => {
  const { listed, asked } = gatewayBefore({ runs: 1, resends: 0, endless: true });
  expect((await listed()).complete).toBe(false);
  expect(asked.pages).toBe(11);
});
