const resource = {
  type: 'resource-based',
  tunerOptions: { targetCpuUsage: 0.9, targetMemoryUsage: 0.95 },
  minimumSlots: 20,
  maximumSlots: 200,
};

/** Slots for workflow tasks to compare: the SDK's resource-based ones, as in src/processes/payment-workers.ts, and fixed. */
export const slotSuppliers = {
  resource,
  fixed200: { type: 'fixed-size', numSlots: 200 },
  fixed40: { type: 'fixed-size', numSlots: 40 },
  /** By a worker that sends without the mark. */
  unmarked: resource,
};
