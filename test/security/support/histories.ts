import { Client, Connection } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { Stage } from './stage.js';

/** All histories of the stage, as Temporal holds them and as those who have the keys see them. */
export type Histories = {
  readonly workflowIds: readonly string[];
  readonly raw: Buffer;
  readonly decoded: Buffer;
};

export async function readHistories(stage: Stage, codec: PayloadCodec): Promise<Histories> {
  const connection = await Connection.connect({ address: stage.temporal.address });
  const client = new Client({
    connection,
    namespace: stage.temporal.namespace,
    // Listing decodes memos, and ours are encrypted.
    dataConverter: { payloadCodecs: [codec] },
  });
  try {
    const workflowIds: string[] = [];
    const raw: Buffer[] = [];
    const decoded: Buffer[] = [];
    for await (const { workflowId, runId } of client.workflow.list()) {
      workflowIds.push(workflowId);
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      for (const bytes of bytesIn(history)) raw.push(bytes);
      for (const payload of await codec.decode(payloadsIn(history))) {
        decoded.push(Buffer.from(payload.data ?? []));
      }
    }
    const part = Buffer.from('\n');
    return { workflowIds, raw: joined(raw, part), decoded: joined(decoded, part) };
  } finally {
    await connection.close();
  }
}

function joined(parts: readonly Buffer[], by: Buffer): Buffer {
  return Buffer.concat(parts.flatMap((each) => [each, by]));
}

/** Each text and each run of bytes, however deep. */
function* bytesIn(value: unknown): Generator<Buffer> {
  if (typeof value === 'string') yield Buffer.from(value);
  else if (value instanceof Uint8Array) yield Buffer.from(value);
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) yield* bytesIn(inner);
  }
}

function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value) return [value as Payload];
  return Object.values(value).flatMap(payloadsIn);
}
