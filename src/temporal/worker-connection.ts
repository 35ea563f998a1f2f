import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { openClient } from './connection.js';
import type { OpenClient, TemporalTarget } from './connection.js';

/**
 * Connects a process that runs workers. Its client shares the workers' connection, which is what lets a workflow
 * start eagerly on a worker of the same process. Throws when the server does not answer.
 */
export async function connectWorker(
  target: TemporalTarget,
  dataConverter: DataConverter,
  interceptors: readonly WorkflowClientInterceptor[] = [],
): Promise<OpenClient<NativeConnection>> {
  const connection = await NativeConnection.connect(target.connectionOptions);
  return openClient(target, dataConverter, connection, interceptors);
}
