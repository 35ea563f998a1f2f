import { z } from 'zod';
import type { BulkRetryFilter } from '../contract/bulk-retry.js';
import type { PaymentListing } from '../contract/http/lists.js';
import type { RetryPayout } from '../contract/messages.js';
import type { PayoutState } from '../contract/state.js';
import { bulkRetryLimits } from '../domain/bulk-retry.js';
import { workflowIdOf } from '../domain/ids.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { codesOfBatch } from './batch-codes.js';
import {
  CommandPendingError,
  CommandRefusedError,
  PaymentNotFoundError,
  TemporalUnavailableError,
} from './errors.js';
import { listing } from './listing.js';
import { PayoutHandle } from './payout-handle.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';
import { listOf, quoted } from './visibility-words.js';

const { PaymentStatus, PaymentCause, PaymentOwner, PaymentPartnerCode, PaymentValue, PaymentUpdatedAt } =
  searchAttributes;
const codesASearch = 100;

/** Where the next part of a list of partner_codes begins; `page` counts those of a batch, from 1. */
const place = z.object({ page: z.int(), at: z.int() });

type Part = { payouts: PaymentListing[]; next_cursor: string | null };

/** What activities do with failed payouts: find, read and retry them. `ours` is the part of a query that all share. */
export function failedPayoutsOf(calls: TemporalCalls, ours: string) {
  const search = async (query: string, pageSize: number, cursor: string | null): Promise<Part> => {
    const { client } = calls;
    const { executions, nextPageToken } = await callTemporal(calls, () =>
      client.workflowService.listWorkflowExecutions({
        namespace: client.options.namespace,
        query,
        pageSize,
        ...(cursor === null ? {} : { nextPageToken: Buffer.from(cursor, 'base64') }),
      }),
    );
    const next = nextPageToken.length === 0 ? null : Buffer.from(nextPageToken).toString('base64');
    return { payouts: executions.map(listing), next_cursor: next };
  };

  return {
    failedPayouts: async (filter: BulkRetryFilter, cursor: string | null): Promise<Part> => {
      const query = `${ours} AND ${clausesOf(filter).join(' AND ')}`;
      if (filter.batch_id === undefined && filter.partner_codes === undefined) {
        return search(query, bulkRetryLimits.pagePayouts, cursor);
      }
      const { page, at } = cursor === null ? { page: 1, at: 0 } : place.parse(JSON.parse(cursor));
      const codes = named(filter) ?? (await codesOfBatch(calls, filter.batch_id ?? '', page, filter.owner));
      const payouts: PaymentListing[] = [];
      const end = Math.min(codes.length, at + bulkRetryLimits.pagePayouts);
      for (let from = at; from < end; from += codesASearch) {
        const some = codes.slice(from, Math.min(end, from + codesASearch));
        const found = await search(
          `${query} AND ${PaymentPartnerCode.name} IN (${listOf(some)})`,
          codesASearch,
          null,
        );
        payouts.push(...found.payouts);
      }
      if (end < codes.length) return { payouts, next_cursor: JSON.stringify({ page, at: end }) };
      const isOver = filter.partner_codes !== undefined || codes.length === 0;
      return { payouts, next_cursor: isOver ? null : JSON.stringify({ page: page + 1, at: 0 }) };
    },

    payoutState: async (partnerCode: string): Promise<PayoutState | undefined> => {
      try {
        return await new PayoutHandle(calls, workflowIdOf('payout', partnerCode)).state();
      } catch (error) {
        // One that fails whenever it is replayed must not hold up all others.
        if (error instanceof Error) return undefined;
        throw error;
      }
    },

    retryPayout: async (partnerCode: string, command: RetryPayout) => {
      const updateId = `bulk-retry-${command.bulk_retry_id ?? ''}-${String(command.attempt ?? 0)}`;
      try {
        await new PayoutHandle(calls, workflowIdOf('payout', partnerCode)).retry(command, updateId);
        return { kind: 'taken' } as const;
      } catch (error) {
        if (error instanceof CommandPendingError) return { kind: 'unknown' } as const;
        if (error instanceof CommandRefusedError) {
          if (error.reason === 'NotTakenInTime') return { kind: 'unknown' } as const;
          return { kind: 'refused', reason: error.reason, message: error.message } as const;
        }
        if (error instanceof PaymentNotFoundError) {
          return { kind: 'refused', reason: 'NotFound', message: error.message } as const;
        }
        if (error instanceof TemporalUnavailableError) return { kind: 'unknown' } as const;
        throw error;
      }
    },
  };
}

/** What search can show; the state of each payout decides. It is never updated before it fails. */
function clausesOf({ cause, failed_after, owner, value_from, value_to }: BulkRetryFilter): string[] {
  return [
    `ExecutionStatus = 'Running'`,
    cause === undefined
      ? `${PaymentStatus.name} = 'error'`
      : `${PaymentStatus.name} IN ('error', 'rejected') AND ${PaymentCause.name} IN (${listOf(cause)})`,
    ...(owner === undefined ? [] : [`${PaymentOwner.name} = ${quoted(owner)}`]),
    ...(failed_after === undefined
      ? []
      : [`${PaymentUpdatedAt.name} >= ${quoted(new Date(failed_after).toISOString())}`]),
    ...(value_from === undefined ? [] : [`${PaymentValue.name} >= ${String(value_from)}`]),
    ...(value_to === undefined ? [] : [`${PaymentValue.name} <= ${String(value_to)}`]),
  ];
}

function named({ partner_codes: codes }: BulkRetryFilter): string[] | undefined {
  return codes === undefined ? undefined : [...new Set(codes)];
}
