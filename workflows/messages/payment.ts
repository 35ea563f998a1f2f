import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  AcknowledgeAttention,
  AwaitStatus,
  PostbackReceived,
  StatusHint,
} from '../../src/contract/messages.js';
import type { PaymentState } from '../../src/contract/state.js';

/** A postback came in: the next read is due now. Nothing in it is believed. */
export const postbackReceivedSignal = defineSignal<[PostbackReceived]>('postbackReceived');

/** Somebody saw a status that differs from ours: the next read is due now. */
export const statusHintSignal = defineSignal<[StatusHint]>('statusHint');

/** Answers when the payment has one of the statuses, or when the time is over. At most five may wait at once. */
export const awaitStatusUpdate = defineUpdate<PaymentState, [AwaitStatus]>('awaitStatus');

/** A person has seen to what was shown as PaymentAttention. */
export const acknowledgeAttentionUpdate = defineUpdate<PaymentState, [AcknowledgeAttention]>(
  'acknowledgeAttention',
);

/** All that is known of the payment. */
export const stateQuery = defineQuery<PaymentState>('state');
