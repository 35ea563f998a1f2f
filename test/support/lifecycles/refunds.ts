import type { RefundState } from '../../../src/contract/state.js';
import { refundWorkflowId } from '../../../src/domain/ids.js';
import { attentionIs, statusIs, type Payment } from '../payment.js';
import type { PaymentsStack } from '../payments-stack.js';
import { cardOrdersOn } from './card-orders.js';

/** Refunds of a test; `tags` are scenarios of the sandbox. */
export function refundsOn(stack: PaymentsStack) {
  const { sandbox } = stack;
  const orders = cardOrdersOn(stack);

  /** An order at the service, paid, whose own workflow has ended; resolves to its identifier. */
  async function paidOrder(code: string, tags = '', status = 'paid'): Promise<string> {
    const order = await orders.submitted(code, tags, { watch_days: 0 });
    sandbox.setOrderStatus(code, 'denied');
    await order.result('1 minute');
    sandbox.setOrderStatus(code, status);
    return orders.idOf(code);
  }

  const startAs = (workflowId: string, input: unknown) =>
    stack.start<RefundState>('refund', workflowId, input);
  const start = (code: string, serviceId: string, more: object = {}) =>
    startAs(refundWorkflowId(serviceId), {
      ...{ partner_code: code, service_id: serviceId, value: 99.9 },
      ...more,
    });

  /** One of a paid order, started and come to where `holds`. */
  async function startedUntil(
    holds: (state: RefundState) => boolean,
    code: string,
    tags: string,
    more: object = {},
  ): Promise<Payment<RefundState>> {
    const refund = await start(code, await paidOrder(code, tags), more);
    await refund.until(holds);
    return refund;
  }
  const requested = (code: string, tags = '') =>
    startedUntil(statusIs('refund_processing'), code, tags, { by: 'shop', reason: 'sold out' });
  const refused = (code: string, tags = 'refund-422') =>
    startedUntil(attentionIs('refund_failed'), code, tags);
  const unconfirmed = (code: string, tags = 'refund-accepted-then-dropped') =>
    startedUntil(statusIs('unconfirmed'), code, tags);
  /** Before its order could be read. */
  const cancelled = async (code: string): Promise<Payment<RefundState>> => {
    const id = await paidOrder(code);
    sandbox.fault({
      endpoint: 'GET /v1/order/{id}',
      partner_code: code,
      fault: { effect: 'none', status: 500 },
    });
    const refund = await start(code, id);
    await refund.cancel();
    await refund.until(statusIs('cancelled'), '1 second');
    return refund;
  };

  /** How many requests for it the service has taken, by its ledger. */
  const requestsOf = (code: string) => orders.made(code)[0]?.refunds_requested;

  return { orders, paidOrder, start, startAs, requested, refused, unconfirmed, cancelled, requestsOf };
}
