import type { OrderState } from '../../../src/contract/state.js';
import { statusIs, type Payment } from '../payment.js';
import { cardOrder, testCard } from '../requests.js';
import type { PaymentsStack } from '../payments-stack.js';

/** Cards that the stack's card store holds. */
export function cardsOf({ cardStore }: PaymentsStack) {
  const stored = () => {
    const { card_ref, task_queue } = cardStore.put(testCard);
    return { card_ref, task_queue };
  };
  const discard = ({ card_ref: ref }: { card_ref: string }) => {
    cardStore.discard(ref);
  };
  const lost = () => {
    const card = stored();
    discard(card);
    return card;
  };
  return { stored, discard, lost };
}

/** An order's description; `tags` are scenarios of the sandbox. */
export const described = (tags: string) => (tags === '' ? 'Two tickets' : `Two tickets sandbox:${tags}`);

/** Card orders of a test. */
export function cardOrdersOn(stack: PaymentsStack) {
  const { sandbox } = stack;
  const cards = cardsOf(stack);

  const start = (code: string, tags = '', more: object = {}) => {
    const input = cardOrder(code, described(tags), { card: cards.stored(), ...more });
    return stack.start<OrderState>('cardOrder', `order-${code}`, input);
  };

  /** One that the service has taken, and that awaits its payment. */
  async function submitted(code: string, tags = '', more: object = {}): Promise<Payment<OrderState>> {
    const order = await start(code, tags, more);
    await order.until(statusIs('waiting_payment'));
    return order;
  }

  /** One that the service shows as settled. */
  async function settled(code: string, more: object = {}): Promise<Payment<OrderState>> {
    const order = await submitted(code, '', more);
    sandbox.setOrderStatus(code, 'compensated');
    await order.until(statusIs('compensated'));
    return order;
  }

  /** One whose submission has an unknown outcome. */
  async function unknown(code: string, tags = 'accepted-then-dropped'): Promise<Payment<OrderState>> {
    const order = await start(code, tags);
    await order.until(statusIs('submission_unknown'));
    return order;
  }

  const made = (code: string) => sandbox.ledger(code).orders;
  const idOf = (code: string) => made(code)[0]?.id ?? '';

  return { cards, start, submitted, settled, unknown, made, idOf };
}
