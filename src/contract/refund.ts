import { z } from 'zod';
import { amount, copiedServiceId, partnerCode, pollScale, serviceId, text } from './fields.js';
import { notify } from './notify.js';

/**
 * What the workflow `refund` starts from: the order by its partner_code and by the id that the service gave it
 * (`PUT /v1/order/{id}/refund`). The service refunds the whole order; `value` is its amount, for people to see.
 */
export const refundInput = z.strictObject({
  partner_code: partnerCode('refund'),
  service_id: serviceId,
  value: amount.optional(),
  reason: text(500).optional(),
  by: text(128).optional(),
  notify: notify.optional(),
  poll_scale: pollScale,
});

export type RefundInput = z.infer<typeof refundInput>;

/**
 * The body of POST /v1/orders/{partner_code}/refund; the gateway fills in the rest from the order's state. Of an order
 * whose own workflow is gone, `service_id` has to name it at the service.
 */
export const refundBody = refundInput.pick({ reason: true, notify: true }).extend({
  service_id: copiedServiceId.optional(),
  value: amount.optional(),
});

export type RefundBody = z.infer<typeof refundBody>;
