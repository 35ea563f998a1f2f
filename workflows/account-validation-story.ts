import { continueAsNew } from '@temporalio/workflow';
import type { AccountValidationInput } from '../src/contract/account-validation.js';
import type { PostbackReceived } from '../src/contract/messages.js';
import type { AccountValidationState } from '../src/contract/state.js';
import type { accountValidation } from './account-validation.js';
import { AccountCheck, type AccountCheckCarry } from './shared/account-check.js';
import type { Story } from './shared/lifecycle.js';
import { readOpening, type Opening } from './shared/opening.js';
import { PaymentRecord, type RecordCarry } from './shared/payment-record.js';
import { StatusFollower } from './shared/status-follower.js';

/** What an account validation hands over at a continue-as-new. */
export type AccountValidationCarry = { record: RecordCarry; check: AccountCheckCarry };

/** The facts of one account validation and what is done about them, step by step. */
export class AccountValidationStory implements Story<never, AccountValidationState> {
  readonly record: PaymentRecord;
  readonly follower: StatusFollower;
  readonly #opening: Opening;
  readonly #check: AccountCheck;
  #over = false;

  constructor(
    private readonly input: AccountValidationInput,
    carried?: AccountValidationCarry,
  ) {
    this.#opening = readOpening('account_validation', input, input, 0);
    const { partnerCode, scale, notify } = this.#opening;
    this.record = new PaymentRecord(
      'account_validation',
      partnerCode,
      0,
      'submitting',
      carried?.record,
      notify,
    );
    this.follower = new StatusFollower(scale);
    this.#check = new AccountCheck(this.record, scale, input, carried?.check);
  }

  view(): AccountValidationState {
    return { ...this.record.state(), kind: 'account_validation', value: null, answer: this.#check.answer };
  }

  ended(): boolean {
    return this.#over || this.#check.ended;
  }

  dueAt(): number {
    return this.#check.dueAt;
  }

  awaiting(): string {
    return this.#check.stage === 'to_send'
      ? 'the time to send it again'
      : 'an answer by postback; without one it counts as unanswered';
  }

  async step(): Promise<void> {
    if (this.#opening.problem !== undefined) return this.#rejectInput(this.#opening.problem);
    await this.#check.step();
    this.follower.dueAt(Infinity);
    this.#conclude();
  }

  untried(): boolean {
    return this.#check.untried;
  }

  /** Before anything was sent, a cancelled validation is simply not made. */
  cancel(): boolean {
    if (this.#check.stage !== 'to_send') return false;
    this.#over = true;
    this.record.moveTo('cancelled', 'Cancelled before anything was sent.');
    return true;
  }

  /** No commands but those of every payment. */
  obey(): Promise<void> {
    return Promise.resolve();
  }

  onPostback(postback: PostbackReceived): void {
    this.#check.hear(postback);
  }

  continueAsNew(): Promise<never> {
    const carry: AccountValidationCarry = { record: this.record.carry(), check: this.#check.carry() };
    return continueAsNew<typeof accountValidation>(this.input, carry);
  }

  #conclude(): void {
    const { answer, reason, serviceId, stage } = this.#check;
    if (serviceId !== null) this.record.identify(serviceId);
    switch (stage) {
      case 'to_send':
        return;
      case 'awaiting':
        return this.record.moveTo('awaiting_answer', 'The service took the request.');
      case 'unknown':
        return this.record.moveTo('submission_unknown', reason ?? '');
      case 'answered':
        return this.record.moveTo(
          'answered',
          `An answer was heard by ${answer?.source ?? 'nobody'}; it is not verified.`,
        );
      case 'unanswered':
        return this.record.moveTo('unanswered', 'No answer was heard in time.');
      case 'refused':
        this.record.refusedBecause(reason ?? '');
        return this.record.moveTo('rejected', 'The service refused the validation, or it was never sent.');
      case 'invalid':
        return this.#rejectInput(reason ?? '');
    }
  }

  #rejectInput(problems: string): void {
    this.#over = true;
    this.record.raise('invalid_input', problems);
    this.record.moveTo('rejected', 'The request was not usable; nothing was sent.');
  }
}
