import { z } from 'zod';
import { creditCard } from './card.js';
import { paymentPage } from './http-lists.js';
import { cardTicket, newCardBody } from './http-payments.js';
import { problem } from './http-problem.js';
import {
  abandonPayout,
  acknowledgeAttention,
  awaitStatus,
  postbackReceived,
  provideCard,
  resolveSubmission,
  retryPayout,
  statusHint,
} from './messages.js';
import { paymentNotification } from './notify.js';
import { cardOrderBody, cardOrderInput } from './order.js';
import { payoutBatchBody, payoutBatchInput, payoutBatchState } from './payout-batch.js';
import { payoutInput, pixPayoutBody, transferPayoutBody } from './payout.js';
import { payoutReconciliationInput, reconciliationReport } from './reconciliation.js';
import { orderState, payoutState } from './state.js';

/**
 * Everything that crosses the border, under the name of its JSON Schema: HTTP bodies, workflow inputs, messages and
 * states. The gateway serves it at /schemas, the build writes it to dist/schemas.
 */
export const publishedSchemas: Record<string, z.ZodType> = {
  'credit-card': creditCard,
  'card-ticket': cardTicket,
  'card-order-body': cardOrderBody,
  'card-order-input': cardOrderInput,
  'new-card-body': newCardBody,
  'order-state': orderState,
  'pix-payout-body': pixPayoutBody,
  'transfer-payout-body': transferPayoutBody,
  'payout-input': payoutInput,
  'payout-state': payoutState,
  'payout-batch-body': payoutBatchBody,
  'payout-batch-input': payoutBatchInput,
  'payout-batch-state': payoutBatchState,
  'payout-reconciliation-input': payoutReconciliationInput,
  'reconciliation-report': reconciliationReport,
  'payment-page': paymentPage,
  'payment-notification': paymentNotification,
  problem,
  'postback-received': postbackReceived,
  'status-hint': statusHint,
  'retry-payout': retryPayout,
  'abandon-payout': abandonPayout,
  'resolve-submission': resolveSubmission,
  'provide-card': provideCard,
  'acknowledge-attention': acknowledgeAttention,
  'await-status': awaitStatus,
};

/** The JSON Schema (2020-12) of a published name, of what a sender writes; undefined for any other name. */
export function jsonSchemaOf(name: string): object | undefined {
  const schema = Object.hasOwn(publishedSchemas, name) ? publishedSchemas[name] : undefined;
  if (schema === undefined) return undefined;
  return { title: name, ...z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) };
}
