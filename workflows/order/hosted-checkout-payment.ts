import type { HostedCheckoutInput } from '../../src/contract/order.js';
import type { OrderState } from '../../src/contract/state.js';
import { hourMs, spans } from '../../src/domain/cadence.js';
import { checkoutUrl } from '../../src/domain/checkout-url.js';
import type { Run } from '../shared/context.js';
import { newSubmission, noteNotSent, type SubmissionState, type Submitted } from '../shared/submission.js';
import { OrderPayment, type OrderSnapshot } from './payment.js';

/** What a hosted checkout carries through a continue-as-new. */
export type HostedCheckoutSnapshot = OrderSnapshot & {
  submission: SubmissionState;
  checkout: OrderState['checkout'];
};

/** The state of one hosted checkout: an order and where its customer pays. */
export class HostedCheckoutPayment extends OrderPayment {
  #submission: SubmissionState;
  #checkout: OrderState['checkout'];

  constructor(
    readonly input: HostedCheckoutInput,
    run: Run,
    snapshot?: HostedCheckoutSnapshot,
  ) {
    super('hosted_checkout', input, run, { expiresAfterMs: expiresAfterMs(input) }, snapshot);
    this.#submission = snapshot?.submission ?? newSubmission(run.startedAt);
    this.#checkout = snapshot?.checkout ?? null;
  }

  get submission(): SubmissionState {
    return this.#submission;
  }

  /** Until when it makes sense to send it, counted from the start of the payment. */
  get submitUntil(): number {
    return this.run.startedAt + expiresAfterMs(this.input) * this.start.scale;
  }

  override view(): OrderState {
    return { ...super.view(), checkout: this.#checkout };
  }

  applyAnswer(sent: Submitted): void {
    if (sent.kind === 'again') {
      noteNotSent(this.record, sent, this.run.now(), this.start.scale);
      this.#submission = sent.state;
      return;
    }
    this.applySubmitted(sent);
    if (sent.kind !== 'answered') return;
    const url = checkoutUrl(sent.answer, [this.input.order.redirect_url]);
    this.#checkout = { url, answer: sent.answer };
    if (url === null && this.phase === 'known') {
      this.record.raise(
        'inconsistent_answer',
        'The answer of the service holds no address to send the customer to; it can be read in the state, under checkout.',
      );
    }
  }

  snapshot(): HostedCheckoutSnapshot {
    return { ...this.orderSnapshot(), submission: this.#submission, checkout: this.#checkout };
  }
}

function expiresAfterMs(input: HostedCheckoutInput): number {
  const hours: unknown = input?.expires_after_hours;
  return typeof hours === 'number' && hours > 0 ? hours * hourMs : spans.checkoutMs;
}
