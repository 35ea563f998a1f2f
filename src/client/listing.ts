import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import type { PaymentListing } from '../contract/http/lists.js';
import type { Closing } from '../domain/closings.js';
import { searchAttributes } from '../domain/search-attributes.js';
import type { TemporalCalls } from './temporal-calls.js';

const { PaymentKind, PaymentStatus, PaymentAttention, PaymentPartnerCode } = searchAttributes;
const { PaymentServiceId, PaymentOwner, PaymentValue, PaymentCause, PaymentUpdatedAt } = searchAttributes;

const RUNNING = 1;
/** By the number that Temporal gives each of them. */
const closingsByNumber: Readonly<Record<number, Closing>> = {
  2: 'completed',
  3: 'failed',
  4: 'cancelled',
  5: 'terminated',
  7: 'timed_out',
};

type Execution = Awaited<
  ReturnType<TemporalCalls['client']['workflowService']['listWorkflowExecutions']>
>['executions'][number];

/** How a workflow of this status ended; null while it is open, or when it went on in a new run. */
export function closingOf(status: number | null | undefined): Closing | null {
  return closingsByNumber[Number(status)] ?? null;
}

/** One execution of a list, as its search attributes show it. */
export function listing({
  execution,
  status,
  startTime,
  searchAttributes: found,
}: Execution): PaymentListing {
  const attribute = ({ name }: { name: string }) => plainValue(found?.indexedFields?.[name]);
  const word = (key: { name: string }) => {
    const value = attribute(key);
    return typeof value === 'string' ? value : null;
  };
  const value = attribute(PaymentValue);
  const updated = attribute(PaymentUpdatedAt);
  return {
    kind: word(PaymentKind),
    partner_code: word(PaymentPartnerCode),
    workflow_id: execution?.workflowId ?? '',
    service_id: word(PaymentServiceId),
    status: word(PaymentStatus),
    attention: word(PaymentAttention),
    cause: word(PaymentCause),
    value: typeof value === 'number' ? value : null,
    started_at: new Date(
      Number(startTime?.seconds ?? 0) * 1_000 + Math.floor((startTime?.nanos ?? 0) / 1_000_000),
    ).toISOString(),
    updated_at: updated instanceof Date ? updated.toISOString() : word(PaymentUpdatedAt),
    closed: Number(status) !== RUNNING,
    closed_as: closingOf(status),
    started_by: word(PaymentOwner),
  };
}

function plainValue(payload: Payload | null | undefined): unknown {
  if (payload == null) return undefined;
  const value = defaultPayloadConverter.fromPayload<unknown>(payload);
  return Array.isArray(value) ? value[0] : value;
}
