import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, rootCause } from '@temporalio/common';
import { callTemporal } from '../../client/temporal-calls.js';
import { payoutListPart } from '../../contract/payout-list.js';
import type { ListedPayout, PayoutListInput, PayoutListPart } from '../../contract/payout-list.js';
import { unreadList, withPage } from '../../domain/list-order.js';
import { latestInstantMs } from '../../payments-service/instants.js';
import { IncompleteListError } from './incomplete-list-error.js';
import { idPrefixes } from '../../domain/id-prefixes.js';

/** How the list's order and its times may differ. */
const marginMs = 15 * 60_000;
const startMs = 30_000;
const partMs = 30 * 60_000;

/**
 * The service's list of payouts, from the newest record back to what is older than that time. The workers read it, who
 * have its credentials; the next part is read while one is used. Each part is deleted from Temporal when it was read.
 *
 * @throws IncompleteListError also of a list that is not in the order of its times, since it is joined by them
 */
export async function* serviceList(
  client: Client,
  taskQueue: string,
  fromMs: number,
): AsyncGenerator<readonly ListedPayout[]> {
  const not_before = new Date(fromMs - marginMs).toISOString();
  const read = (page: number) => readPart(client, taskQueue, { page, not_before });
  let next: Promise<PayoutListPart> | undefined = read(1);
  let order = unreadList;
  let records = 0;
  while (next !== undefined) {
    const part: PayoutListPart = await next;
    next = part.next_page === null ? undefined : read(part.next_page);
    // Its failure is thrown when its turn comes.
    next?.catch(() => undefined);
    order = withPage(
      order,
      part.payouts.map(({ claimed_at }) => latestInstantMs(claimed_at)),
    );
    records += part.payouts.length;
    if (!order.descends) {
      const what = `the newest are not first in it, as was asked for. It was read for ${String(records)} records.`;
      throw new IncompleteListError(what);
    }
    yield part.payouts;
  }
}

async function readPart(client: Client, taskQueue: string, input: PayoutListInput): Promise<PayoutListPart> {
  const handle = await callTemporal({ client, callTimeoutMs: startMs }, () =>
    client.workflow.start('payoutList', {
      workflowId: `${idPrefixes.payoutList}${randomUUID()}`,
      taskQueue,
      args: [input],
      workflowExecutionTimeout: partMs,
      staticSummary: "A part of the service's list of payouts, for an export",
    }),
  );
  try {
    return payoutListPart.parse(
      await callTemporal({ client, callTimeoutMs: partMs + startMs }, () => handle.result()),
    );
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const cause = error.cause instanceof ActivityFailure ? rootCause(error.cause) : error.cause?.message;
    throw new IncompleteListError(cause ?? error.message, { cause: error });
  } finally {
    await forget(client, handle.workflowId);
  }
}

/** Retention removes what could not be removed. */
async function forget(client: Client, workflowId: string): Promise<void> {
  const { namespace } = client.options;
  await client.workflowService
    .deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } })
    .catch(() => undefined);
}
