import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { PostbackReceived, ResolveSubmission } from '../src/contract/messages.js';
import type { HostedCheckoutInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { hourMs, spans } from '../src/domain/cadence.js';
import { checkoutUrl } from '../src/domain/checkout-url.js';
import { formatAmount } from '../src/domain/money.js';
import type { hostedCheckout } from './hosted-checkout.js';
import { creating } from './shared/activities.js';
import type { Story } from './shared/lifecycle.js';
import { OrderCore, type OrderCoreCarry } from './shared/order-core.js';
import { Sending, type SendingCarry } from './shared/sending.js';

export type HostedCheckoutCommand = ResolveSubmission & { kind: 'resolve' };

/** What a hosted checkout hands over at a continue-as-new. */
export type HostedCheckoutCarry = {
  core: OrderCoreCarry;
  sending: SendingCarry;
  checkout: OrderState['checkout'];
};

/** The facts of one hosted checkout and what is done about them, step by step. */
export class HostedCheckoutStory implements Story<HostedCheckoutCommand, OrderState> {
  readonly core: OrderCore;
  readonly #sending: Sending;
  readonly #expiresAfterMs: number;
  #checkout: OrderState['checkout'];

  constructor(
    private readonly input: HostedCheckoutInput,
    carried?: HostedCheckoutCarry,
  ) {
    const hours: unknown = input?.expires_after_hours;
    this.#expiresAfterMs = typeof hours === 'number' && hours > 0 ? hours * hourMs : spans.checkoutMs;
    const beginning = { expiresAfterMs: this.#expiresAfterMs };
    this.core = new OrderCore('hosted_checkout', input, beginning, carried?.core);
    this.#sending = new Sending(this.core.record, this.core.opening.scale, carried?.sending);
    this.#checkout = carried?.checkout ?? null;
  }

  view(): OrderState {
    return { ...this.core.view(), kind: 'hosted_checkout', checkout: this.#checkout };
  }

  ended(): boolean {
    return this.core.ended();
  }

  dueAt(): number {
    return this.core.phase === 'unsent' ? this.#sending.at : this.core.dueAt();
  }

  awaiting(): string {
    if (this.core.phase === 'unsent') return 'the time to send it again';
    return this.core.record.status === 'waiting_payment' ? 'the customer to pay' : this.core.awaiting();
  }

  async step(): Promise<void> {
    const { core } = this;
    if (core.opening.problem !== undefined) return core.rejectInput(core.opening.problem);
    if (core.phase === 'unsent') return this.#send();
    return core.step();
  }

  untried(): boolean {
    return this.core.phase === 'unsent' && this.#sending.untried;
  }

  cancel(): boolean {
    return this.core.cancel();
  }

  onPostback(postback: PostbackReceived): void {
    this.core.onPostback(postback);
  }

  continueAsNew(): Promise<never> {
    const carry: HostedCheckoutCarry = {
      core: this.core.carry(),
      sending: this.#sending.carry(),
      checkout: this.#checkout,
    };
    return continueAsNew<typeof hostedCheckout>(this.input, carry);
  }

  async obey(command: HostedCheckoutCommand): Promise<void> {
    await this.core.resolve(command);
  }

  async #send(): Promise<void> {
    const { core } = this;
    if (Date.now() >= workflowInfo().startTime.getTime() + this.#expiresAfterMs * core.opening.scale) {
      return core.endUnsent('It could not be sent before its time was over. Nothing was sent.');
    }
    const open = creating(`open a checkout of ${formatAmount(core.record.valueCentavos)}`);
    const sent = await this.#sending.once((once) => open.createCheckout({ ...once, order: this.input }));
    if (sent === undefined) return;
    core.conclude(sent);
    if (sent.kind !== 'answered') return;
    const url = checkoutUrl(sent.answer, [this.input.order.redirect_url]);
    this.#checkout = { url, answer: sent.answer };
    if (url === null && core.phase === 'known') {
      core.record.raise(
        'inconsistent_answer',
        'The answer of the service holds no address to send the customer to; it can be read in the state, under checkout.',
      );
    }
  }
}
