import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

type Batch = { status: string; rows: number; error_count: number; payouts: Record<string, number> };

const [batchId = '', file = ''] = process.argv.slice(2);
const { GATEWAY_URL = 'http://127.0.0.1:8080', API_KEY = '' } = process.env;
const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'text/csv' };

async function answer(path: string, body?: Buffer<ArrayBuffer>): Promise<Batch> {
  const request = body === undefined ? { headers } : { method: 'POST', headers, body };
  const response = await fetch(`${GATEWAY_URL}/v1/payout-batches${path}`, request);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Batch;
}

// Sent again after a timeout, it starts nothing twice.
let batch = await answer(`?batch_id=${batchId}`, await readFile(file));
for (let seconds = 0; seconds < 120; seconds += 2) {
  batch = await answer(`/${batchId}?payouts=true`);
  const { done = 0, error = 0 } = batch.payouts;
  if (batch.status !== 'starting' && done + error === batch.rows - batch.error_count) break;
  await sleep(2_000);
}
console.log(
  `${batchId}: ${batch.status}, ${JSON.stringify(batch.payouts)}, ${batch.error_count} not started`,
);
