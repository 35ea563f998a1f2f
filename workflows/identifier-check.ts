import { proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { OwnPaymentsActivities } from '../activities/index.js';
import { identifierCheck as limits } from '../src/domain/identifier-check.js';

/** Where the next run continues. */
type Checked = { next_since: string };

/**
 * Searches every twenty seconds for identifiers of the service that two of our payments have. A Schedule starts a run
 * every ten minutes; it ends when the next one is due.
 */
export async function identifierCheck(): Promise<Checked> {
  const startedAt = Date.now();
  // Safe to retry: it searches, and a payment ignores what it was signalled before.
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
    if (complete) await sleep(limits.everyMs);
  }
}
