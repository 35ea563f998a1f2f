import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AbandonPayout, RetryPayout } from '../../src/contract/messages.js';
import type { PayoutState } from '../../src/contract/state.js';

/** Makes a further attempt of a failed payout. Answers once the former ones were read again and it has begun. */
export const retryPayoutUpdate = defineUpdate<PayoutState, [RetryPayout]>('retryPayout');

/** The same as a Signal, so that Temporal's batch operations retry thousands; heeded only while parked. */
export const retryPayoutSignal = defineSignal<[RetryPayout]>('retryPayout');

/** Gives a failed payout up. */
export const abandonPayoutUpdate = defineUpdate<PayoutState, [AbandonPayout]>('abandonPayout');
