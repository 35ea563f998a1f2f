import type { Registry } from 'prom-client';
import { outputMetrics } from './output-metrics.js';
import { createRegistry } from './registry.js';
import { sdkMetrics, type SdkMetrics } from './sdk-metrics.js';

/** All that a process counts: itself, payments, and what the Temporal SDK counts. One of a process. */
export type ProcessMetrics = { readonly registry: Registry; readonly sdk: SdkMetrics };

/**
 * Before the SDK is used: its runtime takes the address of the export only then.
 *
 * @param unreadLines how many lines of this process nobody has read
 */
export async function createProcessMetrics(unreadLines: () => number): Promise<ProcessMetrics> {
  const registry = createRegistry();
  outputMetrics(registry, unreadLines);
  return { registry, sdk: await sdkMetrics() };
}
