// A Temporal that answers reads at once, and as much as one answer may hold: what a read costs the gateway beside its
// request. For commands, starts and signals it is away.
import { Buffer } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import {
  startedAccountValidation,
  startedOrder,
  startedPayout,
  startedRefund,
} from '../../../dist/src/gateway/payments/started-states.js';

const at = '2026-05-01T00:00:00.000Z';
const text = (length) => 'é'.repeat(length);
/** As many lines as are kept, with the longest reason that a command takes. */
const timeline = Array.from({ length: 60 }, (_, i) => ({
  at,
  what: text(300) + i,
  by: 'ana',
  reason: text(500),
}));
const long = { timeline, attention: null, attention_detail: text(1_000), refusal: text(1_000) };
const payee = { first_name: 'Ana', last_name: 'Souza', document: '52998224725' };
const input = { ...payee, partner_code: 'rent-1', value: 1, method: 'pix', pix: payee.document };

const owner = 'bench';
const shoes = { partner_code: 'shoes-1', service_id: '7', value: 1 };

/** What a workflow answers to a query, by its id. */
const answers = [
  [/^payout-/, payout],
  [/^order-/, () => ({ ...startedOrder('card_order', shoes, Date.now(), owner), ...long })],
  [/^refund-/, () => ({ ...startedRefund(shoes, Date.now(), owner), ...long })],
  [/^account-validation-/, () => ({ ...startedAccountValidation(shoes, Date.now(), owner), ...long })],
  [/^bulk-retry-.*:\d+$/, () => Array.from({ length: 500 }, (_, i) => reportLine(i))],
  [/^bulk-retry-/, bulkRetry],
  [/^batch-/, batchPage],
];

function payout() {
  const state = startedPayout(input, Date.now(), owner);
  const [attempt] = state.attempts;
  return {
    ...state,
    ...long,
    attempts: Array.from({ length: 50 }, () => ({ ...attempt, error: text(500) })),
  };
}

function reportLine(index) {
  const of = {
    partner_code: `rent-${index}`,
    value: 1,
    cause: 'service_error',
    words: text(100),
    attempt: 1,
  };
  return { ...of, outcome: 'refused', detail: text(300), at };
}

function bulkRetry() {
  const counts = { matched: 10_000, pending: 0, retried: 0, done: 0, failed_again: 0, refused: 10_000 };
  const group = (_, index) => ({ cause: 'service_error', words: text(100) + index, count: 1, value: 1 });
  return {
    ...{
      bulk_retry_id: 'b',
      workflow_id: 'bulk-retry-b',
      started_by: owner,
      status: 'finished',
      dry_run: false,
    },
    ...{ attention: null, attention_detail: null, awaiting: '', by: 'ana', reason: text(500), filter: {} },
    ...{ per_second: 1, canary: 0, stop_at_failure_share: 1, counts, values: counts },
    groups: Array.from({ length: 1_000 }, group),
    ...{ started_at: at, updated_at: at, closed: true, pages: 20, timeline },
  };
}

function batchPage() {
  const error = (_, row) => ({ row, partner_code: `rent-${row}`, outcome: 'conflict', message: text(300) });
  return {
    ...{ batch_id: 'b', page: 1, pages: 20, rows: 10_000, status: 'finished' },
    counts: { started: 0, existing: 0, conflict: 500, failed: 0, pending: 0 },
    errors: Array.from({ length: 500 }, error),
  };
}

const notifications = 333;

function notified(sequence) {
  const payment = { kind: 'payout', partner_code: 'rent-1', workflow_id: 'payout-rent-1', started_by: owner };
  const shown = { service_id: '1', status: 'done', attention: null, value: 1, attempt: 1, cause: null };
  const id = { id: `n-${sequence}`, type: 'payment.status_changed', sequence, at };
  return { ...id, payment: { ...payment, ...shown } };
}

/** A thousand events: each notification is scheduled, started, and given up, so that resends of it are looked for. */
async function runOf(number, sealed) {
  const webhook = text(200);
  const events = [
    {
      workflowExecutionStartedEventAttributes: {
        ...{ workflowType: { name: 'payout' }, continuedExecutionRunId: String(number + 1) },
      },
    },
  ];
  for (let index = 0; index < notifications; index += 1) {
    const notification = notified(number * notifications + index + 1);
    const input = await sealed({ webhook, notification });
    const eventId = 2 + 3 * index;
    const scheduled = { activityType: { name: 'notifyOms' }, input };
    events.push(
      { eventId, activityTaskScheduledEventAttributes: scheduled },
      { eventId: eventId + 1, activityTaskStartedEventAttributes: { scheduledEventId: eventId } },
      { eventId: eventId + 2, activityTaskFailedEventAttributes: { scheduledEventId: eventId } },
    );
  }
  return events;
}

/** What sends the notifications of the latest run again, and has sent them. */
async function resendOf(run, sealed) {
  const input = await sealed({
    notify: { webhook: text(200) },
    notifications: Array.from({ length: notifications }, (_, index) => notified(index + 1)),
  });
  const started = { workflowType: { name: 'notification' }, input };
  return [{ workflowExecutionStartedEventAttributes: started }, ...run.slice(1)];
}

/** For a client, in place of a connection. */
export async function fullTemporal(codec) {
  const sealed = async (value) => ({
    payloads: await codec.encode([defaultPayloadConverter.toPayload(value)]),
  });
  const results = await Promise.all(
    answers.map(async ([ids, answer]) => [ids, { queryResult: await sealed(answer()) }]),
  );
  const execution = executionOf('payout-rent-0', 0);
  // As many runs as a gateway reads, each of which has another before it, and resends without end.
  const runs = await Promise.all(Array.from({ length: 10 }, (_, number) => runOf(number, sealed)));
  const resend = await resendOf(runs[0], sealed);
  const historyOf = ({ workflowId, runId }) =>
    workflowId.startsWith('webhook-resend-') ? resend : runs[Number(runId || 0)];
  const executions = Array.from({ length: 200 }, (_, index) => executionOf(`payout-rent-${index}`, index));
  const resends = Array.from({ length: 500 }, (_, index) =>
    executionOf(`webhook-resend-r${index}:payout-1`, index),
  );
  const calls = {
    queryWorkflow: ({ execution: { workflowId } }) => results.find(([ids]) => ids.test(workflowId))?.[1],
    describeWorkflowExecution: () => ({ workflowExecutionInfo: execution, pendingActivities: [] }),
    listWorkflowExecutions: ({ query }) =>
      query.startsWith("WorkflowType = 'notification'")
        ? { executions: resends, nextPageToken: new Uint8Array(1) }
        : { executions, nextPageToken: new Uint8Array() },
    getWorkflowExecutionHistory: ({ execution: run }) => ({
      ...{ history: { events: historyOf(run) }, nextPageToken: new Uint8Array() },
    }),
    countWorkflowExecutions: () => ({ count: executions.length, groups: [] }),
    getSystemInfo: () => ({}),
  };
  const workflowService = new Proxy(calls, {
    get: (known, name) => async (request) => {
      // As every answer of a server, in a turn of its own.
      await nextTurn();
      const answer = known[name]?.(request);
      if (answer !== undefined) return answer;
      throw Object.assign(new Error('It is away.'), {
        code: 14,
        details: 'It is away.',
        metadata: new Map(),
      });
    },
  });
  const pass = (_, call) => call();
  return {
    ...{ workflowService, operatorService: {}, plugins: [] },
    ...{ withDeadline: pass, withMetadata: pass, withAbortSignal: pass },
    close: async () => undefined,
    ensureConnected: async () => undefined,
  };
}

function executionOf(workflowId, index) {
  const attributes = {
    ...{ PaymentKind: 'payout', PaymentStatus: 'done', PaymentPartnerCode: `rent-${index}` },
    ...{ PaymentOwner: owner, PaymentValue: 1, PaymentServiceId: String(index) },
  };
  const payload = (value) => {
    const { metadata, data } = defaultPayloadConverter.toPayload(value);
    const type = typeof value === 'number' ? 'Double' : 'Keyword';
    return { metadata: { ...metadata, type: Buffer.from(type) }, data };
  };
  const fields = Object.entries(attributes).map(([name, value]) => [name, payload(value)]);
  return {
    execution: { workflowId, runId: 'run' },
    ...{ type: { name: 'payout' }, status: 1, taskQueue: 'bench', historyLength: { toNumber: () => 10 } },
    startTime: msToTs(Date.parse(at)),
    searchAttributes: { indexedFields: Object.fromEntries(fields) },
  };
}
