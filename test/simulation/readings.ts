import type { OrderReading, PayoutReading } from '../../src/contract/outcomes.js';
import type { Order } from '../../src/dev/sandbox/orders.js';
import type { Payout } from '../../src/dev/sandbox/payouts.js';
import type { Plan } from './plan.js';

/** What each simulated payment is worth. */
export const valueCentavos = 15_025;
const feeCentavos = 50;

/** An order as `GET /v1/order/{id}` shows it, in the shape of a plan. */
export function orderReading({ id, status, partnerCode }: Order, shape: Plan['shape']): OrderReading {
  return {
    service_id: id,
    status,
    partner_code: shape.showsCode ? partnerCode : null,
    value_centavos: shape.netValue ? valueCentavos - feeCentavos : null,
  };
}

/** A payout as `GET /v1/payout/{id}` shows it, in the shape of a plan. */
export function payoutReading(payout: Payout, shape: Plan['shape']): PayoutReading {
  const { centavos, createdAt, id, partnerCode, status } = payout;
  return {
    service_id: id,
    status,
    partner_code: shape.showsCode ? partnerCode : null,
    value_centavos: shape.netValue ? centavos - feeCentavos : centavos,
    claimed_at: createdAt,
  };
}
