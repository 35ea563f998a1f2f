import { followCadence, settlementCadence, watchCadence, type CadenceStep } from './cadence.js';
import { isWatchedOrderStatus } from './statuses.js';

/** How often an order is read in each of its statuses. */
export function orderCadence(status: string): readonly CadenceStep[] {
  if (isWatchedOrderStatus(status)) return watchCadence;
  return status === 'paid' ? settlementCadence : followCadence;
}
