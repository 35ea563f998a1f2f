import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { isGrpcServiceError } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import { searchAttributes } from '../domain/search-attributes.js';

const { IndexedValueType } = proto.temporal.api.enums.v1;
type IndexedValueType = proto.temporal.api.enums.v1.IndexedValueType;

const INDEXED_TYPES = {
  KEYWORD: { wire: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD, cli: 'Keyword', sample: `'probe'` },
  DATETIME: {
    wire: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
    cli: 'Datetime',
    sample: `'2026-01-01T00:00:00Z'`,
  },
  DOUBLE: { wire: IndexedValueType.INDEXED_VALUE_TYPE_DOUBLE, cli: 'Double', sample: '0' },
} as const;

const GRPC_INVALID_ARGUMENT = 3;
const GRPC_ALREADY_EXISTS = 6;
const GRPC_RESOURCE_EXHAUSTED = 8;
const PROBE_INTERVAL_MS = 200;

/** The search attributes are not there and could not be registered; the message says what to do about it. */
export class SearchAttributeError extends Error {
  override readonly name = 'SearchAttributeError';
}

/**
 * Makes sure that payments can be searched by their attributes: registers those that the namespace lacks and waits
 * until queries accept all of them.
 *
 * @throws SearchAttributeError when the permission is missing, an attribute of that name has another type, or the
 * server does not take them up within `timeoutMs`.
 */
export async function ensureSearchAttributes(
  connection: Connection | NativeConnection,
  namespace: string,
  { timeoutMs = 60_000 }: { timeoutMs?: number } = {},
): Promise<void> {
  if (await usable(connection, namespace)) return;
  await register(connection, namespace);
  const deadline = Date.now() + timeoutMs;
  while (!(await usable(connection, namespace))) {
    if (Date.now() > deadline) {
      throw new SearchAttributeError(
        `The namespace "${namespace}" does not accept the search attributes ${String(timeoutMs / 1000)} seconds ` +
          'after they were registered. Nothing has been started. Look at the Temporal server, then start again.',
      );
    }
    await sleep(PROBE_INTERVAL_MS);
  }
}

/** The attributes that the namespace lacks or has with another type; all of them where they may not be listed. */
export async function missingSearchAttributes(
  connection: Connection | NativeConnection,
  namespace: string,
): Promise<string[]> {
  if (await usable(connection, namespace)) return [];
  const wanted = Object.entries(indexedValueTypes());
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return wanted.filter(([name, type]) => customAttributes[name] !== type).map(([name]) => name);
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error;
    return wanted.map(([name]) => name);
  }
}

/** The attributes as the operator service takes them. */
export function indexedValueTypes(): Record<string, IndexedValueType> {
  return Object.fromEntries(
    Object.values(searchAttributes).map(({ name, type }) => [name, INDEXED_TYPES[type].wire]),
  );
}

/** The command with which someone who may does what {@link ensureSearchAttributes} could not. */
export function registrationCommand(namespace: string): string {
  const flags = Object.values(searchAttributes).map(
    ({ name, type }) => `--name ${name} --type ${INDEXED_TYPES[type].cli}`,
  );
  return `temporal operator search-attribute create --namespace ${namespace} ${flags.join(' ')}`;
}

async function usable(connection: Connection | NativeConnection, namespace: string): Promise<boolean> {
  const query = Object.values(searchAttributes)
    .map(({ name, type }) => `${name} = ${INDEXED_TYPES[type].sample}`)
    .join(' AND ');
  try {
    await connection.workflowService.listWorkflowExecutions({ namespace, query, pageSize: 1 });
    return true;
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === GRPC_INVALID_ARGUMENT) return false;
    throw error;
  }
}

async function register(connection: Connection | NativeConnection, namespace: string): Promise<void> {
  const missing: Record<string, IndexedValueType> = {};
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    for (const [name, wanted] of Object.entries(indexedValueTypes())) {
      const found = customAttributes[name];
      if (found === undefined) missing[name] = wanted;
      else if (found !== wanted) throw wrongType(namespace, name);
    }
    if (Object.keys(missing).length > 0) {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: missing });
    }
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error;
    // Another process of ours registers the same ones at the same moment.
    if (Number(error.code) === GRPC_ALREADY_EXISTS) return;
    const reason = error.details === '' ? error.message : error.details;
    const what = `The namespace "${namespace}" lacks search attributes of payments, and this program could not register them (${reason}).`;
    const isFull =
      [GRPC_INVALID_ARGUMENT, GRPC_RESOURCE_EXHAUSTED].includes(Number(error.code)) &&
      !/\brate\b/i.test(reason);
    const advice = !isFull
      ? `Let someone who is permitted to run this, then start again:\n  ${registrationCommand(namespace)}`
      : 'Use a namespace for payments alone, or remove attributes that nothing needs: a database has room for a few of each type. Then start again.';
    throw new SearchAttributeError(`${what} ${advice}`, { cause: error });
  }
}

function wrongType(namespace: string, name: string): SearchAttributeError {
  return new SearchAttributeError(
    `The search attribute ${name} of the namespace "${namespace}" exists with another type than payments need, so ` +
      'they could not be searched by it. Use another namespace, or remove that attribute if nothing needs it and ' +
      `run this:\n  ${registrationCommand(namespace)}`,
  );
}
