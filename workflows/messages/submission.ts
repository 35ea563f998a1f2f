import { defineUpdate } from '@temporalio/workflow';
import type { ProvideCard, ResolveSubmission } from '../../src/contract/messages.js';
import type { PaymentState } from '../../src/contract/state.js';

/** What a person found out about a submission of unknown fate. */
export const resolveSubmissionUpdate = defineUpdate<PaymentState, [ResolveSubmission]>('resolveSubmission');

/** Where a new card waits for an order whose card was lost before anything was sent. */
export const provideCardUpdate = defineUpdate<PaymentState, [ProvideCard]>('provideCard');
