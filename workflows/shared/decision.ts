import type { ResolveSubmission } from '../../src/contract/messages.js';
import { refusal } from './inbox.js';

/** The identifier that a person found, or null for "nothing had happened". @throws a refusal for neither or both */
export function decisionOf({
  service_id: serviceId,
  nothing_happened: nothing,
}: ResolveSubmission): string | null {
  const named = typeof serviceId === 'string' && serviceId !== '' ? serviceId : undefined;
  if ((named === undefined) === (nothing !== true)) {
    throw refusal('InvalidMessage', 'Send either service_id or nothing_happened: true. Nothing was changed.');
  }
  return named ?? null;
}
