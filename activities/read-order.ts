import type { OrderReading } from '../src/contract/outcomes.js';
import type { ReadingDeps } from './shared/deps.js';
import { readService } from './shared/read-service.js';
import { orderReading } from './shared/readings.js';

/** `service_id` is the id that the service gave the order. */
export type ReadOrderInput = { service_id: string };

/**
 * Reads an order (`GET /v1/order/{id}`).
 *
 * Safe to retry: it changes nothing. Soon after a creation a 404 (`NotFound`) may pass.
 */
export const readOrder =
  (deps: ReadingDeps) =>
  async ({ service_id }: ReadOrderInput): Promise<OrderReading> =>
    orderReading(
      await readService(deps, 'GET /v1/order/{id}', (service, call) => service.readOrder(service_id, call)),
    );
