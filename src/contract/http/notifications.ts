import { z } from 'zod';
import { deliveries } from '../../domain/notifications.js';
import { isPaymentWorkflowId } from '../../domain/ids.js';
import { paymentNotification } from '../notify.js';

/** The workflow of a payment, as `payment.workflow_id` of its notifications has it. */
export const paymentWorkflowId = z
  .string('must be a text')
  .max(512, 'must not be longer than 512 characters')
  .refine(isPaymentWorkflowId, 'must be the workflow_id of a payment, such as payout-invoice-4711')
  .meta({
    description: 'The workflow of a payment, as `payment.workflow_id` of its notifications has it',
    pattern: '^((payout|order|account-validation)-[A-Za-z0-9][A-Za-z0-9._-]{0,63}|refund-[!-~]+)$',
  });

/** GET /v1/notifications?workflow_id= */
export const notificationsQuery = z.strictObject({ workflow_id: paymentWorkflowId });

/** A notification of a webhook, as the payment's history has it. */
export const keptNotification = paymentNotification.omit({ resent: true }).extend({
  /** The name or URL of the webhook, as the payment was started with it. */
  webhook: z.string(),
  /** `waiting`: it is tried again and again; `given_up`: it is not, until it is resent. */
  delivery: z.enum(deliveries),
});
export type KeptNotification = z.infer<typeof keptNotification>;

/** The notifications of a payment, in their order. What waits behind the first one that waits is not among them. */
export const notificationList = z.object({
  notifications: z.array(keptNotification),
  complete: z.boolean().meta({
    description:
      'Whether all that Temporal keeps of the payment was read; false: it has more runs, or was resent more often, ' +
      'than one answer is made from. Its earliest notifications may be missing then, and one may be shown as not ' +
      'delivered that an earlier resend has delivered.',
  }),
});
export type NotificationList = z.infer<typeof notificationList>;
