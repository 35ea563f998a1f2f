import type { AccountValidationInput } from '../../src/contract/account-validation.js';
import type { PostbackReceived } from '../../src/contract/messages.js';
import type { AccountValidationState } from '../../src/contract/state.js';
import type { Conclusions } from '../../src/domain/conclusions.js';
import { validationConclusions } from '../../src/domain/validation-conclusions.js';
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

  constructor(input: AccountValidationInput, run: Run, snapshot?: AccountValidationSnapshot) {
    super(run, 'account_validation', { named: input, options: input, watchDays: 0 }, snapshot);
    this.validation = new ValidationRequest(run.startedAt, this.start.scale, input, snapshot?.validation);
  }

  get stage(): ValidationStage {
    if (this.validation.ended(this.now())) return 'closed';
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
    this.validation.end('cancelled', null);
    this.show();
  }

  rejectInput(problems: string): void {
    this.validation.end('invalid', problems);
    this.show();
  }

  /** Shows what the request has come to. */
  show(): void {
    const { record, reads } = this;
    const { reason, serviceId, stage } = this.validation.data;
    // A postback is no read; it changes no schedule.
    reads.dueAt(Infinity);
    record.data.serviceId = serviceId;
    if (stage === 'refused' || stage === 'unsent') record.data.refusal = reason;
    this.conclude(this.#happened());
  }

  protected override conclusions(): Conclusions {
    const { reason, stage, submission } = this.validation.data;
    return validationConclusions(stage, { reason, unsent: submission.unsent });
  }

  #happened(): string {
    const { answer, reason, stage } = this.validation.data;
    switch (stage) {
      case 'to_send':
        return '';
      case 'awaiting':
        return 'The service took the request.';
      case 'unknown':
        return reason ?? '';
      case 'answered':
        return `An answer came by ${answer?.source ?? 'nobody'}; it is not verified.`;
      case 'unanswered':
        return 'No answer came in time.';
      case 'refused':
      case 'unsent':
        return 'The service refused the validation, or it was never sent.';
      case 'invalid':
        return 'The request was not usable; nothing was sent.';
      case 'cancelled':
        return 'Cancelled before anything was sent.';
    }
  }

  override snapshot(): AccountValidationSnapshot {
    return { ...super.snapshot(), validation: this.validation.data };
  }
}
