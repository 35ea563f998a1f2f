import { proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { OwnPaymentsActivities } from '../activities/index.js';
import { checkEveryMs, identifierCheck as limits } from '../src/domain/identifier-check.js';

/** How far a run has come: where the next one goes on. */
type Checked = { next_since: string };

/**
 * Looks each twenty seconds for identifiers of the service that two payments of ours have. A Schedule starts it each ten
 * minutes; it goes on until the next run is due.
 */
export async function identifierCheck(): Promise<Checked> {
  const startedAt = Date.now();
  // Safe to retry: it searches, and signals what a payment that knows of it takes no notice of.
  const { checkIdentifiers } = proxyActivities<OwnPaymentsActivities>({
    startToCloseTimeout: '2 minutes',
    retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '20 seconds' },
    summary: 'search identifiers that two payments have',
  });
  const last = workflowInfo().lastResult as Partial<Checked> | undefined;
  let since = last?.next_since ?? new Date(startedAt - limits.backMs).toISOString();
  for (;;) {
    const { complete, next_since } = await checkIdentifiers({ since });
    since = next_since;
    if (Date.now() >= startedAt + limits.lastsMs) return { next_since };
    if (complete) await sleep(checkEveryMs);
  }
}
