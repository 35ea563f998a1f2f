import { Client, Connection } from '@temporalio/client';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnection, NativeConnectionOptions } from '@temporalio/worker';

/** Which Temporal, and which namespace of it. */
export type TemporalTarget = {
  readonly connectionOptions: NativeConnectionOptions;
  readonly namespace: string;
};

/** A client and the connection it owns. */
export type OpenClient<C> = {
  readonly client: Client;
  readonly connection: C;
  close(): Promise<void>;
};

/**
 * Reads Temporal's own variables (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_PROFILE, TEMPORAL_API_KEY,
 * TEMPORAL_TLS_… and its configuration file), with Temporal's own defaults.
 *
 * @throws Error when a profile or a certificate that they name can't be read.
 */
export function temporalTargetFrom(env: Readonly<Record<string, string>>): TemporalTarget {
  const { TEMPORAL_PROFILE: profile } = env;
  // The package would take what every object inherits for a profile, and write the settings there.
  if (profile !== undefined && profile in Object.prototype)
    throw new Error(`There is no profile ${profile}.`);
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: { ...env } });
  return {
    connectionOptions: { ...connectionOptions, address: connectionOptions.address ?? 'localhost:7233' },
    namespace: namespace ?? 'default',
  };
}

/** A target without credentials: the embedded server, or one of a test. */
export function plainTarget(address: string, namespace = 'default'): TemporalTarget {
  return { connectionOptions: { address }, namespace };
}

/** Connects a process that runs no worker. Waits until the server answers; throws when it does not. */
export async function connectClient(
  target: TemporalTarget,
  dataConverter: DataConverter,
  interceptors: readonly WorkflowClientInterceptor[] = [],
): Promise<OpenClient<Connection>> {
  const { address, apiKey, tls, metadata } = target.connectionOptions;
  const connection = await Connection.connect({
    ...(address === undefined ? {} : { address }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(tls === undefined ? {} : { tls }),
    ...(metadata === undefined ? {} : { metadata }),
  });
  return openClient(target, dataConverter, connection, interceptors);
}

/** A client on a connection that is already open; closing it closes the connection. */
export function openClient<C extends Connection | NativeConnection>(
  { namespace }: TemporalTarget,
  dataConverter: DataConverter,
  connection: C,
  interceptors: readonly WorkflowClientInterceptor[] = [],
): OpenClient<C> {
  return {
    client: new Client({
      connection,
      namespace,
      dataConverter,
      interceptors: { workflow: [...interceptors] },
    }),
    connection,
    close: () => connection.close(),
  };
}
