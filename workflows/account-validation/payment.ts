import type { AccountValidationInput } from '../../src/contract/account-validation.js';
import type { PostbackReceived } from '../../src/contract/messages.js';
import type { AccountValidationState } from '../../src/contract/state.js';
import type { Conclusions } from '../../src/domain/conclusions.js';
import { validationConclusions, validationNews } from '../../src/domain/validation-conclusions.js';
import {
  validationStage,
  validationStages,
  type ValidationStage,
} from '../../src/domain/validation-stages.js';
import { validationView } from '../../src/domain/views.js';
import { endedAs, newValidation, withPostback, type Validation } from '../../src/domain/validation.js';
import { Payment, type PaymentSnapshot } from '../shared/payment.js';
import type { Run } from '../shared/run.js';

/** One account validation: what is known of it, and what follows. How that changes: `src/domain/validation.ts`. */
export class ValidationPayment extends Payment<AccountValidationState, Validation> {
  override readonly stages = validationStages;

  constructor(
    readonly input: AccountValidationInput,
    run: Run,
    snapshot?: PaymentSnapshot<Validation>,
  ) {
    const begin = ({ scale }: { scale: number }) => newValidation(run.startedAt, scale);
    super(run, 'account_validation', { named: input, options: input, watchDays: 0, begin }, snapshot);
  }

  get stage(): ValidationStage {
    return validationStage(this.data, this.now());
  }

  override get takes() {
    return validationStages[this.stage];
  }

  override view(): AccountValidationState {
    return { ...this.commonState(), ...validationView(this.data) };
  }

  override onPostback({ body }: PostbackReceived): void {
    this.set(withPostback(this.data, body));
  }

  rejectInput(problems: string): void {
    this.apply(endedAs('invalid', problems));
  }

  override conclude(what = validationNews(this.data)): void {
    const { data, record, reads } = this;
    // A postback is no read; it changes no schedule.
    reads.dueAt(Infinity);
    record.set({ serviceId: data.serviceId });
    if (data.phase === 'refused' || data.phase === 'unsent') record.set({ refusal: data.reason });
    super.conclude(what);
  }

  protected override conclusions(): Conclusions {
    return validationConclusions(this.data);
  }
}
