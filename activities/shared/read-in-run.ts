import { activityInfo } from '@temporalio/activity';
import type { ReadFor, ReadInRun } from '../../src/contract/outcomes.js';
import type { Endpoint } from '../../src/domain/retry-table.js';
import type { PaymentsService, ReadingCall } from '../../src/payments-service/payments-service.js';
import type { ServiceResult } from '../../src/payments-service/result.js';
import type { ReadingDeps } from './deps.js';
import { readService } from './read-service.js';
import { resetRun } from './reset-run.js';

/**
 * Makes a read for a run of a workflow. Its outcome says when the run asked, a failure by its details, and whether that
 * run came about by a reset.
 */
export async function readInRun<Value, Reading>(
  deps: ReadingDeps,
  endpoint: Endpoint,
  { original_execution_run_id, asked_at }: ReadFor,
  read: (service: PaymentsService, call: ReadingCall) => Promise<ServiceResult<Value>>,
  reading: (value: Value) => Reading,
): Promise<ReadInRun<Reading>> {
  const value = await readService(deps, endpoint, read, [{ asked_at }]);
  return { ...reading(value), asked_at, ...resetRun(activityInfo(), original_execution_run_id) };
}
