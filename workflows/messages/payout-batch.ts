import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { PayoutBatchPageState } from '../../src/contract/payout-batch.js';

/** The page before has started all of its payouts: it is this one's turn. */
export const previousPageFinishedSignal = defineSignal('previousPageFinished');

/** How far this page has come. */
export const batchPageQuery = defineQuery<PayoutBatchPageState>('state');

/** The partner_codes of this page's payouts, in their order. */
export const batchCodesQuery = defineQuery<string[]>('partnerCodes');
