import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { BulkRetryState } from '../../src/contract/bulk-retry.js';
import { bulkRetryKind } from '../../src/domain/kinds.js';
import { searchAttributes } from '../../src/domain/search-attributes.js';
import { bulkRetryDetails } from './details.js';

const { PaymentAttention, PaymentKind, PaymentStatus, PaymentUpdatedAt } = searchAttributes;

/** Brings current details and search attributes up to date: no event when status and attention are as before. */
export function publish(state: BulkRetryState): void {
  setCurrentDetails(bulkRetryDetails(state));
  const known = workflowInfo().typedSearchAttributes;
  if (
    known.get(PaymentStatus) === state.status &&
    (known.get(PaymentAttention) ?? null) === state.attention &&
    known.get(PaymentKind) === bulkRetryKind
  ) {
    return;
  }
  upsertSearchAttributes([
    { key: PaymentKind, value: bulkRetryKind },
    { key: PaymentStatus, value: state.status },
    { key: PaymentAttention, value: state.attention },
    { key: PaymentUpdatedAt, value: new Date(state.updated_at) },
  ]);
}
