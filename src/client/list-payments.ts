import { createHash } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import type { PaymentFilter, PaymentListing, PaymentPage } from '../contract/http/lists.js';
import { paymentFilter } from '../contract/http/lists.js';
import type { Closing } from '../domain/closings.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { InvalidRequestError } from './errors.js';
import { parseRequest } from './parse.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

const { PaymentKind, PaymentStatus, PaymentAttention, PaymentPartnerCode } = searchAttributes;
const { PaymentServiceId, PaymentOwner, PaymentValue } = searchAttributes;

const RUNNING = 1;
/** By the number that Temporal gives each of them. */
const closingsByNumber: Readonly<Record<number, Closing>> = {
  2: 'completed',
  3: 'failed',
  4: 'cancelled',
  5: 'terminated',
  7: 'timed_out',
};
const checksumBytes = 8;

/**
 * Payments by kind, status and attention, the newest first, as Temporal's visibility shows them: a moment behind.
 *
 * @throws InvalidRequestError naming the filter at fault, TemporalUnavailableError
 */
export async function listPayments(calls: TemporalCalls, request: PaymentFilter): Promise<PaymentPage> {
  const filter = parseRequest(paymentFilter, request);
  const { client } = calls;
  const query = visibilityQuery(filter);
  const list = () =>
    client.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      pageSize: filter.limit ?? 50,
      query,
      ...(filter.cursor === undefined ? {} : { nextPageToken: pageTokenOf(filter.cursor, query) }),
    });
  const { executions, nextPageToken } = await callTemporal(calls, list);
  return {
    payments: executions.map(listing),
    next_cursor: nextPageToken.length === 0 ? null : cursorOf(nextPageToken, query),
  };
}

/** Temporal's page token with a checksum, for Temporal takes a damaged token for a fault of its own. */
function cursorOf(pageToken: Uint8Array, query: string): string {
  return Buffer.concat([checksum(pageToken, query), pageToken]).toString('base64url');
}

function pageTokenOf(cursor: string, query: string): Uint8Array {
  const bytes = Buffer.from(cursor, 'base64url');
  const pageToken = bytes.subarray(checksumBytes);
  if (bytes.subarray(0, checksumBytes).equals(checksum(pageToken, query))) return pageToken;
  throw new InvalidRequestError([{ field: 'cursor', message: 'must be a next_cursor of this very list' }]);
}

function checksum(pageToken: Uint8Array, query: string): Buffer {
  return createHash('sha256').update(query).update(pageToken).digest().subarray(0, checksumBytes);
}

/** The parsed filter holds only words that need no quoting, so nothing of it can change the query. */
function visibilityQuery({ kinds, status, attention, owner, partner_code }: PaymentFilter): string {
  const clauses = [`${PaymentKind.name} IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`];
  if (owner !== undefined) clauses.push(`${PaymentOwner.name} = '${owner}'`);
  if (partner_code !== undefined) clauses.push(`${PaymentPartnerCode.name} = '${partner_code}'`);
  if (status !== undefined) clauses.push(`${PaymentStatus.name} = '${status}'`);
  if (attention === 'any') clauses.push(`${PaymentAttention.name} IS NOT NULL`);
  else if (attention !== undefined) clauses.push(`${PaymentAttention.name} = '${attention}'`);
  return clauses.join(' AND ');
}

type Execution = Awaited<
  ReturnType<TemporalCalls['client']['workflowService']['listWorkflowExecutions']>
>['executions'][number];

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
  return {
    kind: word(PaymentKind),
    partner_code: word(PaymentPartnerCode),
    workflow_id: execution?.workflowId ?? '',
    service_id: word(PaymentServiceId),
    status: word(PaymentStatus),
    attention: word(PaymentAttention),
    value: typeof value === 'number' ? value : null,
    started_at: new Date(
      Number(startTime?.seconds ?? 0) * 1_000 + Math.floor((startTime?.nanos ?? 0) / 1_000_000),
    ).toISOString(),
    closed: Number(status) !== RUNNING,
    closed_as: closingsByNumber[Number(status)] ?? null,
    started_by: word(PaymentOwner),
  };
}

function plainValue(payload: Payload | null | undefined): unknown {
  if (payload == null) return undefined;
  const value = defaultPayloadConverter.fromPayload<unknown>(payload);
  return Array.isArray(value) ? value[0] : value;
}
