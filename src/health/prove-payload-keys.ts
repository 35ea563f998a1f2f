import type { Client } from '@temporalio/client';
import { decodePayload } from '../temporal/decode-payload.js';
import { firstStart } from '../temporal/first-start.js';
import { grpcCode } from '../temporal/grpc-codes.js';
import { currentKeyId, keyIdOf, PayloadDecryptionError } from '../temporal/payload-codec.js';
import { createFirstSchedule, firstSchedule } from '../temporal/reconciliation-schedules.js';
import { oldest } from './ages.js';

const GRPC_NOT_FOUND = 5;

/** PAYLOAD_KEYS are not those of the deployment. */
export class PayloadKeysError extends Error {
  override readonly name = 'PayloadKeysError';

  constructor(
    readonly detail: string,
    readonly action: string,
  ) {
    super(
      `${detail} So this process has not been started: it has polled and served nothing, no money has moved by it, and ` +
        `nothing is lost. ${action}`,
    );
  }
}

/**
 * To be called before anything polls or serves: what a process with other keys writes, failures of activities too, no
 * other process can read. Of two that start on an empty task queue with different keys one gets past it.
 *
 * @throws PayloadKeysError when the keys of this client are not those of the deployment; what the Temporal client throws
 */
export async function provePayloadKeys(client: Client, taskQueue: string): Promise<void> {
  const opened = await openWhatIsThere(client, taskQueue);
  if (opened.includes(theSchedule)) return;
  // Only after the payments: a process that can't read them must leave nothing of its own.
  await createFirstSchedule(client, taskQueue);
  await openSchedule(client, taskQueue);
}

const theSchedule = 'the Schedule of the reconciliation';

/**
 * Reads the latest payment, the oldest open one, and the first of the Schedules, as far as they are there; answers what
 * it has read. Changes nothing.
 *
 * @throws PayloadKeysError
 */
export async function openWhatIsThere(client: Client, taskQueue: string): Promise<string[]> {
  const payments = `TaskQueue = '${taskQueue}' AND PaymentKind IS NOT NULL`;
  const latest = await anyOf(client, payments);
  const now = Date.now();
  const open = await oldest((ageMs) =>
    anyOf(
      client,
      `${payments} AND ExecutionStatus = 'Running' AND StartTime < '${new Date(now - ageMs).toISOString()}'`,
    ),
  );
  const opened = [
    await openPayment(client, 'the latest payment', latest),
    await openPayment(client, 'the oldest open payment', open?.found),
    await openSchedule(client, taskQueue),
  ];
  return opened.filter((each) => each !== null);
}

/** The latest of them, by its workflow id. */
async function anyOf(client: Client, query: string): Promise<string | undefined> {
  const { namespace } = client.options;
  const { executions } = await client.workflowService.listWorkflowExecutions({
    ...{ namespace, query, pageSize: 1 },
  });
  return executions[0]?.execution?.workflowId ?? undefined;
}

async function openPayment(client: Client, what: string, workflowId?: string): Promise<string | null> {
  if (workflowId === undefined) return null;
  try {
    await firstStart(client, workflowId);
    return what;
  } catch (error) {
    // Retention has removed it meanwhile.
    if (grpcCode(error) === GRPC_NOT_FOUND) return null;
    throw explained(error, `${what}, ${workflowId},`);
  }
}

async function openSchedule(client: Client, taskQueue: string): Promise<string | null> {
  const schedule = await firstSchedule(client, taskQueue);
  if (schedule === null) return null;
  const { scheduleId, payloads } = schedule;
  try {
    for (const payload of payloads) await decodePayload(client, payload);
  } catch (error) {
    throw explained(error, `the Schedule ${scheduleId}`);
  }
  const encrypts = currentKeyId(client.options.loadedDataConverter.payloadCodecs) !== null;
  if (encrypts && payloads.every((payload) => keyIdOf(payload) === null)) {
    throw new PayloadKeysError(
      `The Schedule ${scheduleId} was written by processes with PAYLOAD_KEYS=none, which could not read what this one writes.`,
      'Give it PAYLOAD_KEYS=none too. Or, to encrypt from now on, stop all gateways and workers, run ' +
        `temporal schedule delete --schedule-id ${scheduleId}, and start them with the keys.`,
    );
  }
  return theSchedule;
}

function explained(error: unknown, what: string): unknown {
  if (!(error instanceof PayloadDecryptionError)) return error;
  return new PayloadKeysError(
    `PAYLOAD_KEYS do not open what is there: ${what} ${error.fault}.`,
    'Give it the PAYLOAD_KEYS of all gateways and workers; an old key stays in the list behind the current one.',
  );
}
