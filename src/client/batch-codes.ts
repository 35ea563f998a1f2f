import { WorkflowNotFoundError } from '@temporalio/common';
import { z } from 'zod';
import { batchPageId } from '../domain/ids.js';
import { describeExecution } from './execution.js';
import { query } from './query.js';
import type { TemporalCalls } from './temporal-calls.js';

/**
 * The partner_codes of a page of a batch, counted from 1; none when the batch has no such page.
 *
 * @param owner whose batch it must be: what stands in that of another is not for them
 */
export async function codesOfBatch(
  calls: TemporalCalls,
  batchId: string,
  page: number,
  owner?: string,
): Promise<string[]> {
  try {
    if (owner !== undefined && (await describeExecution(calls, batchPageId(batchId, 1))).owner !== owner)
      return [];
    return z.array(z.string()).parse(await query(calls, batchPageId(batchId, page), 'partnerCodes'));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}
