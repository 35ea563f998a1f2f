import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { OrderReading } from '../src/contract/outcomes.js';
import { readOf, type Read } from '../src/domain/called.js';
import type { ReadingDeps } from './shared/deps.js';
import { readService } from './shared/read-service.js';
import { orderReading, readBy } from './shared/readings.js';
import { resetRun } from './shared/reset-run.js';

/**
 * `service_id` is the id that the service gave the order; `partner_code` that of the payment that asks;
 * `original_execution_run_id`: `workflowInfo().originalExecutionRunId`, which a reset keeps.
 */
export type ReadOrderInput = {
  service_id: string;
  partner_code?: string;
  original_execution_run_id: string;
};

/**
 * Reads an order (`GET /v1/order/{id}`).
 *
 * Safe to retry: it changes nothing. Soon after a creation a 404 (`NotFound`) may pass.
 */
export const readOrder =
  (deps: ReadingDeps) =>
  async ({ original_execution_run_id, ...order }: ReadOrderInput): Promise<OrderReading> => ({
    ...(await shownOrder(deps, order)),
    ...resetRun(activityInfo(), original_execution_run_id),
  });

type Order = Pick<ReadOrderInput, 'service_id' | 'partner_code'>;

async function shownOrder(deps: ReadingDeps, { partner_code, service_id }: Order): Promise<OrderReading> {
  const order = await readService(deps, 'GET /v1/order/{id}', (service, call) =>
    service.readOrder(service_id, call),
  );
  return orderReading(readBy(service_id, order), partner_code);
}

/** The same read (`GET /v1/order/{id}`) within an activity that goes on with what it has come to. */
export async function orderRead(deps: ReadingDeps, order: Order): Promise<Read<OrderReading>> {
  try {
    return { kind: 'read', reading: await shownOrder(deps, order) };
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    return readOf({ kind: 'failed', type: error.type ?? '', message: error.message, tookMs: 0 });
  }
}
