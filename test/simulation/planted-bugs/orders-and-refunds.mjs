import { planted } from './bug.mjs';

const submission = 'src/domain/submission.ts';
const orderStages = 'workflows/order/stages.ts';
const identifiers = 'workflows/shared/identifiers.ts';
const orderReads = 'workflows/order/reads.ts';
const orderPayment = 'workflows/order/payment.ts';
const secured = 'src/domain/three-d-secure.ts';

/** In orders and refunds. */
export const bugsOfOrdersAndRefunds = [
  planted('card_order', 3_000, submission, {
    'a card whose outcome is unknown is charged again blindly': [
      '      return unknown(outcome.reason, outcome.dispatched_before === true);',
      "      return again('not_sent', outcome.reason);",
    ],
  }),
  planted('refund', 3_000, submission, {
    'a refund whose outcome is unknown is requested again blindly': [
      '      return unknown(outcome.reason, outcome.dispatched_before === true);',
      "      return again('not_sent', outcome.reason);",
    ],
  }),
  planted('card_order', 10_000, orderStages, {
    'an order that is cancelled after a reset counts as unsent': [
      '  if (await ctx.wasReset()) payment.markUnknown(unknownAfterReset);\n  else payment',
      '  payment',
    ],
  }),
  planted('card_order', 10_000, identifiers, {
    'another order is taken for this one': [
      'if (owner === null || owner === run.workflowId) return;',
      'if (owner !== undefined) return;',
    ],
  }),
  planted('card_order', 10_000, orderReads, {
    'at the end of a watch an order is read without end': [': reads.onceDueAt(watchEnds)', ': watchEnds'],
  }),
  planted('hosted_checkout', 10_000, orderPayment, {
    'nothing is read after an order is known': [
      "    if (this.data.phase === 'known') this.readBy(orderCadence(this.record.status));",
      '',
    ],
  }),
  planted('three_d_secure_order', 10_000, secured, {
    'a completion of unknown outcome is open to another one': [
      "{ phase: 'unknown', sentBefore: true, credentials: null }",
      "{ phase: 'open', sentBefore: true, credentials: null }",
    ],
  }),
  planted('three_d_secure_order', 10_000, 'src/domain/order-stages.ts', {
    'a completion is offered while an unknown status is followed': [
      '  follow: [],',
      "  follow: ['completeThreeDSecure'],",
    ],
  }),
  planted('three_d_secure_order', 20_000, secured, {
    'a run that continues a reset one completes the order': [
      "phase === 'to_send' || (phase === 'open' && status !== 'expired')",
      "phase === 'open' && status !== 'expired'",
    ],
  }),
  planted('three_d_secure_order', 40_000, secured, {
    'a run that continues a reset one offers to complete the order': [
      "phase === 'to_send' || (phase === 'open' && status !== 'expired')",
      "(phase === 'to_send')",
    ],
  }),
  planted('refund', 20_000, 'src/domain/refund-proofs.ts', {
    // Without the read before a retry alone nothing is refunded twice: each request is preceded by a read of its own.
    'a refund is requested whatever the read before it has shown': [
      '  return phase === undefined;',
      '  return true;',
    ],
  }),
  planted('refund', 20_000, 'workflows/refund/commands.ts', {
    // It requests nothing all the same: its activity refuses as well. An operator would take it for accepted.
    'a reset run takes a retry of a refund as any other': [
      '  if (await ctx.wasReset()) {\n    payment.needsFreshRun',
      '  if (ctx.run.resetBefore !== null) {\n    payment.needsFreshRun',
    ],
  }),
  planted('refund', 20_000, 'workflows/refund/payment.ts', {
    'a run that continues a reset one requests the refund': [
      "this.#forgetWhatCame(['to_send', 'refused', 'failed', 'decided'], false);",
      "this.#forgetWhatCame(['refused', 'failed', 'decided'], false);",
    ],
  }),
];
