import type { PaymentListing } from '../contract/http/lists.js';
import { listing } from './listing.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

const pageSize = 500;

/** A run that went on in a new one shows the payment as it was then. */
export const notContinued = `ExecutionStatus != 'ContinuedAsNew'`;

/** All that a query of Temporal's visibility finds, page after page. @throws TemporalUnavailableError */
export async function* listAll(calls: TemporalCalls, query: string): AsyncGenerator<PaymentListing[]> {
  const { client } = calls;
  let nextPageToken: Uint8Array | undefined;
  do {
    const page: Awaited<ReturnType<typeof client.workflowService.listWorkflowExecutions>> =
      await callTemporal(calls, () =>
        client.workflowService.listWorkflowExecutions({
          namespace: client.options.namespace,
          query,
          pageSize,
          ...(nextPageToken === undefined ? {} : { nextPageToken }),
        }),
      );
    yield page.executions.map(listing);
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
}
