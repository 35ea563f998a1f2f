import { vi } from 'vitest';
import { z } from 'zod';
import type { IncidentStack } from '../../src/dev/demo/incidents/incident.js';
import {
  accepted,
  everyCall,
  failPayout,
  needsOperator,
  orderPath,
  payoutPath,
  reaches,
  startOrder,
  startPayout,
} from '../../src/dev/demo/incidents/steps.js';
import { cardOf, orderOf, payoutOf } from '../../src/dev/demo/requests.js';
import { waiting } from '../support/waiting.js';

export type PageStack = IncidentStack & {
  /** Runs a command as those of the pages are run. */
  readonly shell: (command: string) => Promise<unknown>;
  /** The identifier of the service for a payment. */
  readonly serviceId: (partnerCode: string) => Promise<string>;
};

/**
 * Brings a payment under a code of its own into the state that a command assumes; answers what else has to stand in the
 * command in place of the page's own words.
 */
type State = (stack: PageStack, code: string, command: string) => Promise<Record<string, string> | void>;
type Fault = Parameters<PageStack['sandbox']['fault']>[0]['fault'];

const reason = 'as the page has it';
const refusal = { effect: 'none', status: 422 };
const fails = 'sandbox+error-once@example.com';
const stuck = 'sandbox+stuck@example.com';
const unlisted = 'sandbox+unlisted+postback-silent@example.com';

const started =
  (pix?: string, status = 'done'): State =>
  async (stack, code) => {
    await startPayout(stack, code, 150.5, pix);
    await reaches(stack, payoutPath(code), status);
  };
const failed: State = (stack, code) => failPayout(stack, code, 150.5, fails);
/** A failed payout after a command. */
const answered =
  (command: 'retry' | 'abandon', status: string): State =>
  async (stack, code) => {
    await failPayout(stack, code, 150.5, fails);
    await accepted(stack.oms.post(`${payoutPath(code)}/${command}`, { reason }));
    await reaches(stack, payoutPath(code), status);
  };
const settled: State = async (stack, code) => {
  await startOrder(stack, code, 89.9);
  await reaches(stack, orderPath(code), 'compensated');
};
/** What was so, and is shown otherwise by the service since. */
const shownAs =
  (before: State, kind: 'orders' | 'payouts', status: string, attention: string): State =>
  async (stack, code, command) => {
    await before(stack, code, command);
    await stack.sandbox.setStatus(kind, code, status);
    await needsOperator(stack, `/v1/${kind}/${code}`, attention);
  };
const chargeback = shownAs(settled, 'orders', 'chargeback', 'chargeback');

/** A payout whose creating calls, so many of them, end like this. */
const sent =
  (fault: Fault, attention: string, pix?: string, times = 1): State =>
  async (stack, code, command) => {
    await stack.sandbox.fault({ endpoint: 'POST /v1/payout/pix', fault, partner_code: code, times });
    await startPayout(stack, code, 150.5, pix);
    await needsOperator(stack, payoutPath(code), attention);
    if (command.includes('4711')) return { 4711: await stack.serviceId(code) };
  };
const lost = sent('dropped-before', 'submission_unknown', unlisted);
const unknownPayout: State = (stack, code, command) =>
  command.includes('--nothing-happened')
    ? lost(stack, code, command)
    : sent('accepted-then-dropped', 'submission_unknown', unlisted)(stack, code, command);

const unknownOrder: State = async (stack, code) => {
  const { customer, order } = orderOf(code, 89.9);
  await stack.sandbox.fault({
    endpoint: 'POST /v1/order',
    fault: 'accepted-then-dropped',
    partner_code: code,
  });
  await accepted(
    stack.oms.post('/v1/orders/card', {
      order: { ...order, description: 'Two tickets sandbox:postback-silent' },
      customer,
      credit_card: cardOf('4111111111111111'),
    }),
  );
  await needsOperator(stack, orderPath(code), 'submission_unknown');
  return { ord_81: await stack.serviceId(code) };
};

const refund =
  (fault: Fault, attention: string): State =>
  async (stack, code, command) => {
    await settled(stack, code, command);
    await stack.sandbox.fault({ endpoint: 'PUT /v1/order/{id}/refund', fault, partner_code: code });
    await accepted(stack.oms.post(`${orderPath(code)}/refund`, { reason }));
    await needsOperator(stack, `${orderPath(code)}/refund`, attention);
    return { 1795280456750: await stack.serviceId(code) };
  };

const invalidInput: State = async (stack, code) => {
  const start = `temporal workflow start --task-queue payments --type payout --workflow-id payout-${code}`;
  await stack.shell(`${start} --input '{}'; temporal workflow result --workflow-id payout-${code}`);
};

/** The file of payouts of unknown outcome as it comes back: one of them was looked up. */
const findings: State = async (stack, code, command) => {
  await lost(stack, code, command);
  if (!command.includes('--file')) return;
  const filledIn = `sed -nE '1p; /^${code},/s/(\\r?)$/yes\\1/p'`;
  await stack.shell(`npx durable-payments payout unknown --csv | ${filledIn} > ${code}.csv`);
};

const listed = z.object({ payments: z.array(z.object({ partner_code: z.string().nullable() })) });

/** Starts a bulk retry of three payouts that were refused: one of all that show `error` leaves them out. */
async function startBulkRetry(stack: PageStack, id: string, pix: string, plan: object): Promise<void> {
  const codes = [1, 2, 3].map((number) => `${id}-of-${String(number)}x`);
  for (const code of codes) {
    await stack.sandbox.fault({ endpoint: 'POST /v1/payout/pix', fault: refusal, partner_code: code });
    await failPayout(stack, code, 150.5, pix);
  }
  // A selection is by Temporal's search, which shows them a moment later.
  await vi.waitUntil(async () => {
    const { body } = await stack.oms.get('/v1/payouts?cause=refused&limit=100');
    const shown = new Set(listed.parse(body).payments.map(({ partner_code: code }) => code));
    return codes.every((code) => shown.has(code));
  }, waiting);
  const filter = { partner_codes: codes, cause: 'refused' };
  await accepted(stack.oms.post('/v1/bulk-retries', { bulk_retry_id: id, reason, filter, ...plan }));
}

/** A bulk retry that takes half a minute; paused, when the command resumes it. */
const slowBulkRetry: State = async (stack, id, command) => {
  if (command.includes('--id')) return;
  await startBulkRetry(stack, id, 'ana.lima@example.com', { canary: 0, per_second: 0.1 });
  if (command.includes('resume')) await accepted(stack.oms.post(`/v1/bulk-retries/${id}/pause`, { reason }));
};

const bulkRetry = z.object({ attention: z.string().nullable(), closed: z.literal(false) });

const stoppedBulkRetry: State = async (stack, id) => {
  await startBulkRetry(stack, id, 'sandbox+422-always@example.com', { canary: 1 });
  await vi.waitUntil(async () => {
    const { body } = await stack.oms.get(`/v1/bulk-retries/${id}`);
    return bulkRetry.parse(body).attention === 'bulk_retry_stopped';
  }, waiting);
};

/** Five notifications of it are delivered. */
const notified: State = async (stack, code) => {
  const payout = { ...payoutOf(code, 150.25, fails), notify: { webhook: 'shop' } };
  await accepted(stack.oms.post('/v1/payouts/pix', payout));
  await needsOperator(stack, payoutPath(code), 'payout_failed');
  await accepted(stack.oms.post(`${payoutPath(code)}/retry`, { reason }));
  await reaches(stack, payoutPath(code), 'done');
};

/** By section: the state that its commands assume of each payment that they name. */
export const pageStates: Readonly<Record<string, Readonly<Record<string, State>>>> = {
  Operate: { 'rent-2026-05': failed },
  'When a payment needs an operator': { 'order-1042': chargeback },
  paid_twice: { 'rent-2026-05': shownAs(answered('retry', 'done'), 'payouts', 'done', 'paid_twice') },
  payout_returned: { 'rent-2026-05': shownAs(started(), 'payouts', 'error', 'payout_returned') },
  chargeback: { 'order-1042': chargeback },
  inconsistent_answer: {
    'rent-2026-05': shownAs(answered('abandon', 'abandoned'), 'payouts', 'done', 'inconsistent_answer'),
  },
  submission_unknown: { 'rent-2026-05': unknownPayout, 'order-1042': unknownOrder, findings },
  payout_failed: { 'rent-2026-05': failed },
  bulk_retry_stopped: { 'outage-of-may': stoppedBulkRetry },
  refund_failed: { 1795280456750: refund(refusal, 'refund_failed') },
  refund_unconfirmed: { 1795280456750: refund('dropped-before', 'refund_unconfirmed') },
  not_sent: { 'rent-2026-05': sent({ effect: 'none', status: 429 }, 'not_sent', undefined, everyCall) },
  unreadable: { 'rent-2026-05': sent('id-other', 'unreadable', unlisted) },
  unrecognised_status: {
    'rent-2026-05': shownAs(started(stuck, 'claimed'), 'payouts', 'under_review', 'unrecognised_status'),
  },
  invalid_input: { 'rent-2026-05': invalidInput },
  'Retry failed payouts by the thousand': {
    'outage-of-may': slowBulkRetry,
    'rent-2026-05': failed,
    'rent-2026-06': failed,
  },
  'When your receiver was down': { 'invoice-4711': notified },
  Following: { 'order-1042': settled },
  'Other payments': { 'order-1042': settled },
};
