import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { inject } from 'vitest';
import { ownNamespace } from './own-namespace.js';
import { StartedWorkflows } from './started-workflows.js';
import { testDataConverter } from './temporal-data-converter.js';
import { quietRuntime } from './temporal-runtime.js';

/** A test file's place on the development server that all files of the run share. */
export type DevServer = {
  readonly address: string;
  readonly namespace: string;
  readonly connection: NativeConnection;
  /** Where clients and workers of the file are. */
  readonly place: { readonly connection: NativeConnection; readonly namespace: string };
  readonly client: Client;
  /** What `client` started; for `replayAfter`. */
  readonly started: StartedWorkflows;
  /** Of this test file alone. */
  readonly taskQueue: string;
  close(): Promise<void>;
};

/** Connects to the run's development server: real time, real search, attributes registered. Close it in `afterAll`. */
export async function connectDevServer(): Promise<DevServer> {
  quietRuntime();
  const address = inject('temporalAddress');
  const connection = await NativeConnection.connect({ address });
  const namespace = await ownNamespace(connection);
  const place = { connection, namespace };
  const server = { address, ...place, place, taskQueue: `test-${randomUUID()}` };
  return { ...server, ...noteStarted(server), close: () => connection.close() };
}

/** A client of its own, and what it started. */
export function noteStarted({
  connection,
  namespace,
}: Pick<DevServer, 'connection' | 'namespace'>): Pick<DevServer, 'client' | 'started'> {
  const started = new StartedWorkflows();
  const interceptors = { workflow: [started.interceptor] };
  return {
    client: new Client({ connection, namespace, dataConverter: testDataConverter, interceptors }),
    started,
  };
}
