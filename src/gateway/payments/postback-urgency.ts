import { asRecord, parsedJson } from '../../domain/records.js';
import { normaliseStatus } from '../../domain/statuses.js';
import { idPrefixes } from '../../domain/id-prefixes.js';

const underWay: readonly unknown[] = ['claimed', 'processing'];

/**
 * Whether a postback has to be followed at once. One that only says that a payout is still under way may wait for the
 * next, which often comes within seconds: each signal is a task of the workflow and a read of the service.
 */
export function isUrgentPostback(workflowId: string, body: string): boolean {
  const { status } = asRecord(parsedJson(body));
  return !(workflowId.startsWith(idPrefixes.payout) && underWay.includes(normaliseStatus(status)));
}
