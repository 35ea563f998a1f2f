import { z } from 'zod';
import { serviceId } from '../src/contract/fields.js';
import type { SendOnceInput } from '../src/contract/outcomes.js';
import type { CreationOutcome } from '../src/domain/submission.js';
import { checked } from './shared/checked.js';
import type { SendingDeps } from './shared/deps.js';
import { sendOnce } from './shared/send-once.js';

/** `service_id` is the order's. */
export type RequestRefundInput = SendOnceInput & { service_id: string };

const refundRequest = z.object({ service_id: serviceId });

/**
 * Requests the refund of an order (`PUT /v1/order/{id}/refund`); the service queues it.
 *
 * Not safe to retry: an order that still reads as paid may have its refund queued.
 */
export const requestRefund =
  (deps: SendingDeps) =>
  (input: RequestRefundInput): Promise<CreationOutcome> =>
    sendOnce(deps, input, {
      check: () => checked(refundRequest, input),
      send: ({ service_id }, call) => deps.service.requestRefund(service_id, call),
    });
