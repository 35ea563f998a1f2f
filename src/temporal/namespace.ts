import { isGrpcServiceError, type Client } from '@temporalio/client';

/** What is known of the namespace, or why nothing is. */
export type NamespaceView = { readonly retentionMs: number } | { readonly fault: string };

/** How long the client's namespace keeps closed workflows. */
export async function readNamespace(client: Client): Promise<NamespaceView> {
  const { namespace } = client.options;
  try {
    const { config } = await client.workflowService.describeNamespace({ namespace });
    const { seconds } = config?.workflowExecutionRetentionTtl ?? {};
    return { retentionMs: Number(seconds ?? 0) * 1_000 };
  } catch (error) {
    const why = isGrpcServiceError(error) ? error.details : 'no answer';
    return { fault: `The namespace ${namespace} can’t be used: ${why}` };
  }
}

/** What makes a namespace usable that is not. */
export function namespaceFault(namespace: string): string {
  return (
    `Set TEMPORAL_NAMESPACE to the right one, or create it: temporal operator namespace create --namespace ` +
    `${namespace} --retention 30d`
  );
}
