import { randomUUID } from 'node:crypto';
import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { NativeConnection } from '@temporalio/worker';
import { vi } from 'vitest';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.js';
import { waiting } from './waiting.js';

type Connected = Connection | NativeConnection;

/** Creates a namespace, and waits until it is there. */
export async function createNamespace(connection: Connected, prefix: string): Promise<string> {
  const namespace = `${prefix}-${randomUUID()}`;
  const { workflowService } = connection;
  const workflowExecutionRetentionPeriod = msToTs('30 days');
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  const isThere = () =>
    workflowService.listOpenWorkflowExecutions({ namespace }).then(
      () => true,
      () => false,
    );
  await vi.waitUntil(isThere, waiting);
  return namespace;
}

let own: Promise<string> | undefined;

/** The namespace of this test file, with the search attributes of payments: nobody else's payments are listed in it. */
export function ownNamespace(connection: Connected): Promise<string> {
  own ??= createNamespace(connection, 'test').then(async (namespace) => {
    await ensureSearchAttributes(connection, namespace);
    return namespace;
  });
  return own;
}

/** The next test file has another one. */
export function leaveNamespace(): void {
  own = undefined;
}
