import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { workflowIdOf } from '../domain/ids.js';
import { describeExecution, type Execution } from './execution.js';

const describeMs = 10_000;

/** What Temporal knows of the order with this partner_code; undefined when nothing. @throws TemporalUnavailableError */
export async function knownOrder(client: Client, partnerCode: string): Promise<Execution | undefined> {
  try {
    return await describeExecution(
      { client, callTimeoutMs: describeMs },
      workflowIdOf('card_order', partnerCode),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
