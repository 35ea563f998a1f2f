import type { Registry } from 'prom-client';
import { createRegistry } from './registry.js';
import { sdkMetrics, type SdkMetrics } from './sdk-metrics.js';

/** All that a process counts: itself, payments, and what the Temporal SDK counts. One of a process. */
export type ProcessMetrics = { readonly registry: Registry; readonly sdk: SdkMetrics };

/** Before the SDK is used: its runtime takes the address of the export only then. */
export async function createProcessMetrics(): Promise<ProcessMetrics> {
  return { registry: createRegistry(), sdk: await sdkMetrics() };
}
