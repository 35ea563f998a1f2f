import type { Client } from '@temporalio/client';
import { healthChecks, inWords } from '../../health/problem.js';
import type { HealthCheck } from '../../health/problem.js';
import { viewFleet } from '../../health/fleet.js';
import { pollersByQueue, workerQueues } from '../../health/task-queues.js';
import { openWhatIsThere, PayloadKeysError } from '../../health/prove-payload-keys.js';
import { findTokenRenewal } from '../../health/token-renewal.js';
import { tokenRenewalId } from '../../temporal/token-source.js';
import { failed, passed } from './check.js';
import type { DoctorCheck } from './check.js';
import type { Subject } from './subject.js';

/** Only the gateway itself sees them. */
type OfAGateway = 'card_store' | 'output';

/** What is said of each when nothing is wrong. */
const fine: Record<Exclude<HealthCheck, OfAGateway | 'temporal' | 'payload_keys' | 'workers'>, string> = {
  workflow_tasks: 'No worker fails the tasks of payments.',
  credentials: 'The workers’ credentials are not rejected.',
  service: 'The payments service is reached from this machine.',
  clock: 'This machine and the worker that answered have Temporal’s time.',
  unsent: 'No payment waits long to be sent.',
  reconciliation: 'The Schedules of the reconciliation are there and run.',
};

/** What gateways watch all the time, looked at once. */
export async function fleetChecks(client: Client, { taskQueue, payments }: Subject): Promise<DoctorCheck[]> {
  const account = payments === null ? null : tokenRenewalId(payments.baseUrl, payments.clientId);
  const [{ problems }, workers, keys] = await Promise.all([
    viewFleet({
      ...{ client, taskQueue, cardTaskQueue: null, baseUrl: payments?.baseUrl ?? null },
      tokenRenewalId: account ?? (await findTokenRenewal(client, taskQueue)),
    }),
    versions(client, taskQueue),
    payloadKeysCheck(client, taskQueue),
  ]);
  return healthChecks.flatMap((check): DoctorCheck[] => {
    if (check === 'temporal' || check === 'card_store' || check === 'output') return [];
    const found = problems.filter((problem) => problem.check === check);
    const [first] = found;
    if (first !== undefined) {
      return [failed(check, found.map(inWords).join(' '), first.action)];
    }
    if (check === 'payload_keys') return [keys];
    return [passed(check, check === 'workers' ? workers : fine[check])];
  });
}

/** Which versions of this program poll, by the identities of the pollers. */
async function versions(client: Client, taskQueue: string): Promise<string> {
  const queues = await pollersByQueue(client, workerQueues(taskQueue), 0);
  return queues
    .map(({ name, identities }) => {
      const workers = [...new Set(Object.values(identities).flat())];
      const named = [...new Set(workers.map((identity) => identity.split(' ').at(1) ?? 'another program'))];
      return `${name}: ${String(workers.length)} (${named.join(', ')})`;
    })
    .join('; ');
}

/** Whether gateway and worker would start with these keys. */
async function payloadKeysCheck(client: Client, taskQueue: string): Promise<DoctorCheck> {
  const name = 'payload_keys';
  try {
    const opened = await openWhatIsThere(client, taskQueue);
    return passed(
      name,
      opened.length === 0
        ? 'There is nothing yet that could be read with PAYLOAD_KEYS.'
        : `PAYLOAD_KEYS open ${opened.join(', ')}.`,
    );
  } catch (error) {
    if (!(error instanceof PayloadKeysError)) throw error;
    return failed(name, error.detail, error.action);
  }
}
