import { isGrpcServiceError, type Client, type Connection } from '@temporalio/client';
import { namespaceFault, readNamespace } from '../../temporal/namespace.js';
import { missingSearchAttributes, registrationCommand } from '../../temporal/search-attributes.js';
import { failed, passed, wordsOf } from './check.js';
import type { DoctorCheck } from './check.js';

const GRPC_PERMISSION_DENIED = 7;
/** A repeated request is recognised for the watch of a payment and so long after it. */
const leastRetentionDays = 7;
const advisedRetentionDays = 30;

/** Which server it is. */
export async function temporalCheck(client: Client, address: string): Promise<DoctorCheck> {
  const { serverVersion } = await client.workflowService.getSystemInfo({});
  const version = serverVersion === '' ? 'of unknown version' : serverVersion;
  return passed('temporal', `Temporal ${version} answers at ${address}.`);
}

/** Whether the namespace is there, and keeps closed payments long enough. */
export async function namespaceCheck(client: Client): Promise<DoctorCheck> {
  const { namespace } = client.options;
  const described = await readNamespace(client);
  if ('fault' in described) return failed('namespace', described.fault, namespaceFault(namespace));
  const days = described.retentionMs / 86_400_000;
  const seen = `The namespace ${namespace} keeps closed payments for ${days.toFixed(0)} days`;
  if (days < leastRetentionDays) {
    return failed(
      'namespace',
      `${seen}: a request that is repeated later pays again.`,
      `temporal operator namespace update --namespace ${namespace} --retention ${String(advisedRetentionDays)}d`,
    );
  }
  return passed('namespace', `${seen}${days < advisedRetentionDays ? '; 30 or more are advised' : ''}.`);
}

/** Whether payments can be searched. */
export async function searchAttributesCheck(connection: Connection, namespace: string): Promise<DoctorCheck> {
  const missing = await missingSearchAttributes(connection, namespace);
  if (missing.length === 0) {
    return passed('search_attributes', 'Payments can be searched by all of their attributes.');
  }
  return failed(
    'search_attributes',
    `The namespace lacks ${missing.join(', ')}, or has another type for it.`,
    registrationCommand(namespace),
  );
}

/** Whether this program may do there what its processes do. */
export async function permissionsCheck(client: Client, taskQueue: string): Promise<DoctorCheck> {
  const { namespace } = client.options;
  const calls = {
    'list workflows': () => client.workflowService.listWorkflowExecutions({ namespace, pageSize: 1 }),
    'describe task queues': () =>
      client.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: taskQueue },
        taskQueueType: 1,
      }),
    'list Schedules': () => client.workflowService.listSchedules({ namespace, maximumPageSize: 1 }),
  };
  const denied: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    try {
      await call();
    } catch (error) {
      if (!isGrpcServiceError(error) || Number(error.code) !== GRPC_PERMISSION_DENIED) {
        return failed(
          'permissions',
          `It is not known what is permitted: ${wordsOf(error)}`,
          'See `temporal`.',
        );
      }
      denied.push(name);
    }
  }
  if (denied.length === 0) return passed('permissions', 'Workflows, task queues and Schedules may be used.');
  return failed(
    'permissions',
    `Temporal does not permit these credentials to ${denied.join(', ')}.`,
    'Give the API key or certificate write access to the namespace.',
  );
}
