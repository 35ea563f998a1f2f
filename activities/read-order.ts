import type { OrderReading, ReadFor, ReadInRun } from '../src/contract/outcomes.js';
import type { ReadingDeps } from './shared/deps.js';
import { readInRun } from './shared/read-in-run.js';
import { orderReading, readBy } from './shared/readings.js';

/** `service_id` is the id that the service gave the order; `partner_code` that of the payment that asks. */
export type ReadOrderInput = ReadFor & { service_id: string; partner_code?: string };

/**
 * Reads an order (`GET /v1/order/{id}`).
 *
 * Safe to retry: it changes nothing. Soon after a creation a 404 (`NotFound`) may pass.
 */
export const readOrder =
  (deps: ReadingDeps) =>
  ({ partner_code, service_id, ...run }: ReadOrderInput): Promise<ReadInRun<OrderReading>> =>
    readInRun(
      deps,
      'GET /v1/order/{id}',
      run,
      (service, call) => service.readOrder(service_id, call),
      (order) => orderReading(readBy(service_id, order), partner_code),
    );
