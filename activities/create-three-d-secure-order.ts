import { threeDSecureOrderInput } from '../src/contract/order.js';
import type { SendOnceInput } from '../src/contract/outcomes.js';
import type { CreationOutcome } from '../src/domain/submission.js';
import { checked } from './shared/checked.js';
import type { SendingDeps } from './shared/deps.js';
import { sendOnce } from './shared/send-once.js';

/** `order` is the raw input of the workflow `threeDSecureOrder`. */
export type CreateThreeDSecureOrderInput = SendOnceInput & { order: unknown };

/**
 * Opens a 3D Secure order (`POST /v1/3ds/order`). Its answer is undocumented and goes along.
 *
 * Not safe to retry: orders cannot be looked up by partner_code.
 */
export const createThreeDSecureOrder =
  (deps: SendingDeps) =>
  (input: CreateThreeDSecureOrderInput): Promise<CreationOutcome> =>
    sendOnce(deps, input, {
      check: () => checked(threeDSecureOrderInput, input.order),
      send: ({ order, customer }, call, notificationUrl) =>
        deps.service.createThreeDSecureOrder(
          { order: { ...order, notification_url: notificationUrl }, customer },
          call,
        ),
    });
