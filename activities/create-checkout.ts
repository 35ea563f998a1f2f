import { hostedCheckoutInput } from '../src/contract/order.js';
import type { SendOnceInput } from '../src/contract/outcomes.js';
import type { CreationOutcome } from '../src/domain/submission.js';
import { checked } from './shared/checked.js';
import type { SendingDeps } from './shared/deps.js';
import { sendOnce } from './shared/send-once.js';

/** `order` is the raw input of the workflow `hostedCheckout`. */
export type CreateCheckoutInput = SendOnceInput & { order: unknown };

/**
 * Opens a hosted checkout (`POST /v1/checkout`). Its answer is undocumented and goes along.
 *
 * Not safe to retry: the customer could pay each of two checkouts, and neither can be looked up.
 */
export const createCheckout =
  (deps: SendingDeps) =>
  (input: CreateCheckoutInput): Promise<CreationOutcome> =>
    sendOnce(deps, input, {
      check: () => checked(hostedCheckoutInput, input.order),
      send: ({ order, customer }, call, notificationUrl) =>
        deps.service.createCheckout(
          { order: { ...order, notification_url: notificationUrl }, customer },
          call,
        ),
    });
