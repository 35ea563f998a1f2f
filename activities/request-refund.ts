import type { OrderReading, SendOnceInput } from '../src/contract/outcomes.js';
import { refundInput, type RefundInput } from '../src/contract/refund.js';
import { beforeSending } from '../src/domain/call-limits.js';
import type { Read } from '../src/domain/called.js';
import { allowsRequest } from '../src/domain/refund-proofs.js';
import { refundValueProblem } from '../src/domain/refund-stages.js';
import { isSameIdentifier } from '../src/domain/service-ids.js';
import type { CreationOutcome } from '../src/domain/submission.js';
import { orderRead } from './read-order.js';
import { checked } from './shared/checked.js';
import type { SendingDeps } from './shared/deps.js';
import { sendOnce } from './shared/send-once.js';

/**
 * `input`: the workflow's own, which nobody has checked; `right_centavos`: the amounts that the order may show;
 * `previous_failure`: the status of a failure that was shown before this request.
 */
export type RequestRefundInput = SendOnceInput & {
  input: unknown;
  right_centavos: readonly number[];
  previous_failure: string | null;
};

/** What a read of the order came to, and when it began: an ISO time of the worker's clock. */
export type OrderRead = { read: Read<OrderReading>; read_at: string };

/** `order`: what was read right before; absent when no read was made. */
export type RequestRefundResult = CreationOutcome & { order?: OrderRead };

/**
 * Reads an order (`GET /v1/order/{id}`) and requests its refund (`PUT /v1/order/{id}/refund`), unless the reading speaks
 * against it: then nothing is sent (`not_sent`). The service queues the request. The value is checked against that of the
 * order, where that is known here.
 *
 * Not safe to retry: an order that still reads as paid may have its refund queued.
 */
export const requestRefund =
  (deps: SendingDeps) =>
  async (request: RequestRefundInput): Promise<RequestRefundResult> => {
    const reads: OrderRead[] = [];
    const outcome = await sendOnce(deps, request, {
      check: () => checked(refundInput, request.input),
      prove: async (refund) => {
        const wrongValue = await whyWrongValue(deps, refund);
        if (wrongValue !== undefined) return wrongValue;
        const read_at = new Date(deps.now()).toISOString();
        const read = await inTime(orderRead(deps, refund));
        reads.push({ read, read_at });
        return isAllowed(read, refund, request)
          ? undefined
          : { outcome: 'not_sent', reason: 'The order, as it was read, does not let it be requested.' };
      },
      send: ({ service_id }, call) => deps.service.requestRefund(service_id, call),
    });
    const [order] = reads;
    return { ...outcome, ...(order !== undefined && { order }) };
  };

async function whyWrongValue(
  { orderOf }: SendingDeps,
  { partner_code, service_id, value }: RefundInput,
): Promise<CreationOutcome | undefined> {
  if (value === undefined || orderOf === undefined) return undefined;
  try {
    const order = await orderOf(partner_code);
    // Its identifier is known to search a moment after the order itself knows it.
    const isOther = order !== undefined && !isSameIdentifier(order.serviceId ?? service_id, service_id);
    const message = isOther ? undefined : refundValueProblem(value, order);
    return message === undefined
      ? undefined
      : { outcome: 'invalid_input', problems: [{ field: 'value', message }] };
  } catch {
    return { outcome: 'not_sent', reason: 'Temporal did not show in time what the order is worth.' };
  }
}

/** One that takes longer would take up the time of the send; nobody looks at what comes of it then. */
async function inTime(read: Promise<Read<OrderReading>>): Promise<Read<OrderReading>> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Read<OrderReading>>((resolve) => {
    timer = setTimeout(() => {
      resolve({ kind: 'unreadable', reason: 'GET /v1/order/{id}: no answer came in time.' });
    }, beforeSending.readMs);
  });
  try {
    return await Promise.race([read, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function isAllowed(
  order: Read<OrderReading>,
  { partner_code: partnerCode, service_id: serviceId }: RefundInput,
  { previous_failure: previousFailure, right_centavos: rightCentavos }: RequestRefundInput,
): boolean {
  const wanted = { partnerCode, previousFailure, rightCentavos, serviceId };
  return order.kind === 'read' && allowsRequest(wanted, order.reading);
}
