import { accountValidationState, type AccountValidationState } from '../contract/state.js';
import { PaymentHandle } from './payment-handle.js';
import type { TemporalCalls } from './temporal-calls.js';

/** The validation of a bank account. */
export class AccountValidationHandle extends PaymentHandle<AccountValidationState> {
  constructor(calls: TemporalCalls, workflowId: string) {
    super(calls, workflowId, accountValidationState);
  }
}
