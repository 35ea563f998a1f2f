import type { AccountValidationInput } from '../../src/contract/account-validation.js';
import type { PostbackReceived } from '../../src/contract/messages.js';
import type { AccountValidationState } from '../../src/contract/state.js';
import type { Command, Run } from '../shared/context.js';
import { PaymentRecord, type RecordSnapshot } from '../shared/payment-record.js';
import { ReadSchedule } from '../shared/read-schedule.js';
import { Refused } from '../shared/refused.js';
import { readStartInput, type StartInput } from '../shared/start-input.js';
import { ValidationRequest, type ValidationSnapshot } from '../shared/validation-request.js';

/** What an account validation carries through a continue-as-new. */
export type AccountValidationSnapshot = { record: RecordSnapshot; validation: ValidationSnapshot };

/** The state of one account validation. */
export class ValidationPayment {
  readonly start: StartInput;
  readonly record: PaymentRecord;
  /** Never due: the service documents no read of a validation. */
  readonly reads: ReadSchedule;
  readonly validation: ValidationRequest;
  #closed = false;

  constructor(input: AccountValidationInput, run: Run, snapshot?: AccountValidationSnapshot) {
    this.start = readStartInput(run, 'account_validation', input, input, 0);
    const { notify, partnerCode, scale } = this.start;
    this.record = new PaymentRecord({
      run,
      kind: 'account_validation',
      partnerCode,
      valueCentavos: 0,
      firstStatus: 'submitting',
      notify,
      snapshot: snapshot?.record,
    });
    this.reads = new ReadSchedule(run, scale);
    this.validation = new ValidationRequest(run.startedAt, scale, input, snapshot?.validation);
  }

  isClosed(now: number): boolean {
    return this.#closed || this.validation.ended(now);
  }

  view(): AccountValidationState {
    return {
      ...this.record.state(),
      kind: 'account_validation',
      value: null,
      answer: this.validation.answer,
    };
  }

  refusalOf(command: Command): Refused {
    return new Refused('InvalidMessage', `An account validation takes no ${command.name}.`);
  }

  onPostback(postback: PostbackReceived): void {
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
    const { answer, reason, serviceId, stage } = this.validation;
    // A postback is no read; it changes no schedule.
    this.reads.dueAt(Infinity);
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
          `An answer came by ${answer?.source ?? 'nobody'}; it is not verified.`,
        );
      case 'unanswered':
        return this.record.moveTo('unanswered', 'No answer came in time.');
      case 'refused':
      case 'unsent':
        this.record.lower('not_sent');
        this.record.refusedBecause(reason ?? '');
        return this.record.moveTo('rejected', 'The service refused the validation, or it was never sent.');
      case 'invalid':
        return this.rejectInput(reason ?? '');
    }
  }

  snapshot(): AccountValidationSnapshot {
    return { record: this.record.snapshot(), validation: this.validation.snapshot() };
  }
}
