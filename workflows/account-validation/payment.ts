import type { AccountValidationInput } from '../../src/contract/account-validation.js';
import type { PostbackReceived } from '../../src/contract/messages.js';
import type { AccountValidationState } from '../../src/contract/state.js';
import { validationStages, type ValidationStage } from '../../src/domain/validation-stages.js';
import { Payment, type PaymentSnapshot } from '../shared/payment.js';
import type { Run } from '../shared/run.js';
import { ValidationRequest, type ValidationSnapshot } from '../shared/validation-request.js';

/** What an account validation carries through a continue-as-new. */
export type AccountValidationSnapshot = PaymentSnapshot & { validation: ValidationSnapshot };

/** The state of one account validation. Its reads are never due: the service documents none. */
export class ValidationPayment extends Payment<AccountValidationState> {
  override readonly stages = validationStages;
  readonly validation: ValidationRequest;
  #closed = false;

  constructor(input: AccountValidationInput, run: Run, snapshot?: AccountValidationSnapshot) {
    super(run, 'account_validation', { named: input, options: input, watchDays: 0 }, snapshot);
    this.validation = new ValidationRequest(run.startedAt, this.start.scale, input, snapshot?.validation);
  }

  get stage(): ValidationStage {
    if (this.#closed || this.validation.ended(this.now())) return 'closed';
    return this.validation.data.stage === 'to_send' ? 'request' : 'await';
  }

  override get takes() {
    return validationStages[this.stage];
  }

  override view(): AccountValidationState {
    const { answer } = this.validation.data;
    return { ...this.commonState(), kind: 'account_validation', value: null, answer };
  }

  override onPostback(postback: PostbackReceived): void {
    this.validation.onPostback(postback);
  }

  cancel(): void {
    this.#closed = true;
    this.record.moveTo('cancelled', 'Cancelled before anything was sent.');
  }

  rejectInput(problems: string): void {
    this.#closed = true;
    this.record.raise('invalid_input', problems);
    this.record.moveTo('rejected', 'The request was not usable; nothing was sent.');
  }

  /** Shows what the request has come to. */
  conclude(): void {
    const { record, reads } = this;
    const { answer, reason, serviceId, stage } = this.validation.data;
    // A postback is no read; it changes no schedule.
    reads.dueAt(Infinity);
    record.data.serviceId = serviceId;
    switch (stage) {
      case 'to_send':
        return;
      case 'awaiting':
        return record.moveTo('awaiting_answer', 'The service took the request.');
      case 'unknown':
        return record.moveTo('submission_unknown', reason ?? '');
      case 'answered':
        return record.moveTo(
          'answered',
          `An answer came by ${answer?.source ?? 'nobody'}; it is not verified.`,
        );
      case 'unanswered':
        return record.moveTo('unanswered', 'No answer came in time.');
      case 'refused':
      case 'unsent':
        record.lower('not_sent');
        record.data.refusal = reason;
        return record.moveTo('rejected', 'The service refused the validation, or it was never sent.');
      case 'invalid':
        return this.rejectInput(reason ?? '');
    }
  }

  override snapshot(): AccountValidationSnapshot {
    return { ...super.snapshot(), validation: this.validation.data };
  }
}
