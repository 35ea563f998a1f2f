import type { HostedCheckoutInput } from '../../src/contract/order.js';
import { hourMs, spans } from '../../src/domain/cadence.js';
import { odd } from '../../src/domain/order.js';
import { checkoutUrl } from '../../src/domain/checkout-url.js';
import type { OrderStage } from '../../src/domain/order-stages.js';
import type { Submitted } from '../../src/domain/submission.js';
import type { Run } from '../shared/run.js';
import { OrderPayment, type OrderSnapshot } from './payment.js';

/** The state of one hosted checkout: an order and where its customer pays. */
export class HostedCheckoutPayment extends OrderPayment {
  constructor(
    readonly input: HostedCheckoutInput,
    run: Run,
    snapshot?: OrderSnapshot,
  ) {
    const hours: unknown = input?.expires_after_hours;
    const expiresAfterMs = typeof hours === 'number' && hours > 0 ? hours * hourMs : spans.checkoutMs;
    super('hosted_checkout', input, run, { expiresAfterMs }, snapshot);
  }

  get stage(): OrderStage {
    return this.orderStage;
  }

  override applySubmitted(sent: Submitted): void {
    super.applySubmitted(sent);
    if (sent.kind !== 'answered') return;
    const url = checkoutUrl(sent.answer, [this.input.order.redirect_url]);
    this.set({ checkout: { url, answer: sent.answer } });
    if (url === null && this.data.phase === 'known') {
      const what =
        'The answer of the service holds no address to send the customer to; it can be read in the state';
      this.apply(odd(this.data, `${what}, under checkout.`));
    }
  }
}
