import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { PaymentFilter, PaymentListing, PaymentPage } from '../contract/http/lists.js';
import { paymentFilter } from '../contract/http/lists.js';
import { parsedJson } from '../domain/records.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { grpcCode } from '../temporal/grpc-codes.js';
import { codesOfBatch } from './batch-codes.js';
import { InvalidRequestError } from './errors.js';
import { notContinued } from './list-all.js';
import { listing } from './listing.js';
import { parseRequest } from './parse.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';
import { listOf, quoted } from './visibility-words.js';
import { withoutEarlierRuns } from './without-earlier-runs.js';

const { PaymentKind, PaymentStatus, PaymentAttention, PaymentCause } = searchAttributes;
const { PaymentOwner, PaymentPartnerCode, PaymentValue } = searchAttributes;

const macBytes = 16;
/** Nothing is kept from those who use the client themselves: they reach Temporal. */
const noKey = Buffer.alloc(32);
const invalidArgument = 3;

/**
 * Payments by kind, status, attention, cause, value, time and batch, the newest first (of a batch: as it has them), as
 * Temporal's visibility shows them: a moment behind. The first of the keys signs cursors, each verifies them.
 *
 * @throws InvalidRequestError naming the filter at fault, TemporalUnavailableError
 */
export async function listPayments(
  calls: TemporalCalls,
  request: PaymentFilter,
  cursorKeys: readonly Uint8Array[] = [noKey],
): Promise<PaymentPage> {
  const filter = parseRequest(paymentFilter, request);
  const { batch_id: batchId, cursor, limit: pageSize = 50 } = filter;
  const query = visibilityQuery(filter);
  const listed = `${batchId ?? ''}\0${query}`;
  const pageToken = cursor === undefined ? undefined : pageTokenOf(cursor, listed, cursorKeys);
  const found =
    batchId === undefined
      ? await search(calls, query, pageSize, pageToken)
      : await searchBatch(calls, { batchId, owner: filter.owner }, query, pageSize, pageToken);
  return {
    payments: await withoutEarlierRuns(calls, found.payments),
    next_cursor: found.next === null ? null : cursorOf(found.next, listed, cursorKeys[0] ?? noKey),
  };
}

type Found = { payments: PaymentListing[]; next: Uint8Array | null };

async function search(
  calls: TemporalCalls,
  query: string,
  pageSize: number,
  pageToken?: Uint8Array,
): Promise<Found> {
  const { client } = calls;
  const { namespace } = client.options;
  const { executions, nextPageToken } = await callTemporal(calls, () =>
    client.workflowService.listWorkflowExecutions({
      ...{ namespace, query, pageSize },
      ...(pageToken === undefined ? {} : { nextPageToken: pageToken }),
    }),
  ).catch((error: unknown) => {
    // A token may be genuine and yet of no use, as when visibility has moved to another store.
    throw pageToken !== undefined && grpcCode(error) === invalidArgument ? forgedCursor() : error;
  });
  return {
    payments: executions.map(listing),
    next: nextPageToken.length === 0 ? null : nextPageToken,
  };
}

/** Where the next part of a batch begins; its pages count from 1. */
const placeInBatch = z.object({ page: z.int().min(1), at: z.int().min(0) });

/** A page may be empty before the last one: so many searches are made for one. */
const mostSearches = 10;

/** Search knows nothing of batches: looks for the payouts of one by their codes, some at a time, until some are found. */
async function searchBatch(
  calls: TemporalCalls,
  { batchId, owner }: { batchId: string; owner: string | undefined },
  query: string,
  pageSize: number,
  pageToken?: Uint8Array,
): Promise<Found> {
  const begin =
    pageToken === undefined ? { page: 1, at: 0 } : placeInBatch.safeParse(parsedJson(text(pageToken))).data;
  if (begin === undefined) throw forgedCursor();
  let { page, at } = begin;
  let codes = await codesOfBatch(calls, batchId, page, owner);
  for (let searches = 1; codes.length > 0; searches += 1) {
    const some = listOf(codes.slice(at, at + pageSize));
    const { payments } = await search(calls, `${query} AND ${PaymentPartnerCode.name} IN (${some})`, 1_000);
    at += pageSize;
    if (at >= codes.length) {
      [page, at] = [page + 1, 0];
      codes = await codesOfBatch(calls, batchId, page, owner);
    }
    const next = codes.length === 0 ? null : Buffer.from(JSON.stringify({ page, at }));
    if (payments.length > 0 || searches === mostSearches) return { payments, next };
  }
  return { payments: [], next: null };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

/** Temporal's page token, signed: Temporal takes a damaged one for a fault of its own, and is then asked ten times. */
function cursorOf(pageToken: Uint8Array, listed: string, key: Uint8Array): string {
  return Buffer.concat([macOf(pageToken, listed, key), pageToken]).toString('base64url');
}

function pageTokenOf(cursor: string, listed: string, keys: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.from(cursor, 'base64url');
  const [mac, pageToken] = [bytes.subarray(0, macBytes), bytes.subarray(macBytes)];
  const isGenuine = (key: Uint8Array) =>
    mac.length === macBytes && timingSafeEqual(mac, macOf(pageToken, listed, key));
  if (keys.some(isGenuine)) return pageToken;
  throw forgedCursor();
}

function forgedCursor(): InvalidRequestError {
  return new InvalidRequestError([{ field: 'cursor', message: 'must be a next_cursor of this very list' }]);
}

/** Of a page of what is listed alone: batch and query. */
function macOf(pageToken: Uint8Array, listed: string, key: Uint8Array): Buffer {
  const mac = createHmac('sha256', key).update('cursor\0').update(listed).update('\0').update(pageToken);
  return mac.digest().subarray(0, macBytes);
}

/** The parsed filter holds only words that need no quoting, so nothing of it can change the query. */
function visibilityQuery(filter: PaymentFilter): string {
  const { attention, cause, kinds, owner, partner_code: code, status } = filter;
  const { started_after: after, started_before: before, value_from: from, value_to: to } = filter;
  const clauses = [`${PaymentKind.name} IN (${listOf(kinds)})`, notContinued];
  if (owner !== undefined) clauses.push(`${PaymentOwner.name} = ${quoted(owner)}`);
  if (code !== undefined) clauses.push(`${PaymentPartnerCode.name} = ${quoted(code)}`);
  if (status !== undefined) clauses.push(`${PaymentStatus.name} = ${quoted(status)}`);
  if (attention === 'any') clauses.push(`${PaymentAttention.name} IS NOT NULL`);
  else if (attention !== undefined) clauses.push(`${PaymentAttention.name} = ${quoted(attention)}`);
  if (cause !== undefined) clauses.push(`${PaymentCause.name} = ${quoted(cause)}`);
  if (from !== undefined) clauses.push(`${PaymentValue.name} >= ${String(from)}`);
  if (to !== undefined) clauses.push(`${PaymentValue.name} <= ${String(to)}`);
  if (after !== undefined) clauses.push(`StartTime >= ${quoted(new Date(after).toISOString())}`);
  if (before !== undefined) clauses.push(`StartTime < ${quoted(new Date(before).toISOString())}`);
  return clauses.join(' AND ');
}
