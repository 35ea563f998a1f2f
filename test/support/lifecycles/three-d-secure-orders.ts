import type { OrderState } from '../../../src/contract/state.js';
import { attentionIs, statusIs, type Payment } from '../payment.js';
import { threeDSecureOrder } from '../requests.js';
import type { PaymentsStack } from '../payments-stack.js';
import { cardsOf, described } from './card-orders.js';

/** 3D Secure orders of a test; `tags` are scenarios of the sandbox. */
export function threeDSecureOrdersOn(stack: PaymentsStack) {
  const cards = cardsOf(stack);

  const start = (code: string, tags = '', more: object = {}) =>
    stack.start<OrderState>(
      'threeDSecureOrder',
      `order-${code}`,
      threeDSecureOrder(code, described(tags), more),
    );

  /** One that awaits the customer's authentication. */
  async function opened(code: string, tags = '', more: object = {}): Promise<Payment<OrderState>> {
    const order = await start(code, tags, more);
    await order.until(statusIs('awaiting_authentication'), '1 second');
    return order;
  }

  const completion = (more: object = {}) => ({
    ...{ callback: 'pares=abc', eci: '05', card: cards.stored() },
    ...more,
  });
  const complete = (order: Payment<OrderState>, message: object = completion()) =>
    order.command('completeThreeDSecure', message);

  /** One whose completion has an unknown outcome. */
  async function unknownCompletion(
    code: string,
    tag = 'completion-accepted-then-dropped',
  ): Promise<Payment<OrderState>> {
    const order = await opened(code, tag);
    await complete(order);
    await order.until(attentionIs('submission_unknown'), '1 second');
    return order;
  }

  const made = (code: string) => stack.sandbox.ledger(code).orders;

  return { cards, start, opened, completion, complete, unknownCompletion, made };
}
