import type { ResolveSubmission } from '../../src/contract/messages.js';
import { Refused } from './refused.js';

/** What is wrong with an operator's finding: it names either an identifier or that nothing happened. */
export function resolutionProblem(message: ResolveSubmission): Refused | undefined {
  return (message.service_id === undefined) === (message.nothing_happened !== true)
    ? new Refused('InvalidMessage', 'Send either service_id or nothing_happened: true. Nothing was changed.')
    : undefined;
}
