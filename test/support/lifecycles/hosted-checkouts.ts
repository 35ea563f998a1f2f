import type { OrderState } from '../../../src/contract/state.js';
import { statusIs, type Payment } from '../payment.js';
import { hostedCheckout } from '../requests.js';
import type { PaymentsStack } from '../payments-stack.js';
import { described } from './card-orders.js';

/** Hosted checkouts of a test; `tags` are scenarios of the sandbox. */
export function hostedCheckoutsOn(stack: PaymentsStack) {
  const start = (code: string, tags = '', more: object = {}) =>
    stack.start<OrderState>('hostedCheckout', `order-${code}`, hostedCheckout(code, described(tags), more));

  /** One that the customer can pay. */
  async function opened(code: string, tags = '', more: object = {}): Promise<Payment<OrderState>> {
    const checkout = await start(code, tags, more);
    await checkout.until(statusIs('waiting_payment'), '1 second');
    return checkout;
  }

  const made = (code: string) => stack.sandbox.ledger(code).orders;

  return { start, opened, made };
}
