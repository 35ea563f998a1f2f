import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from './connect.js';

const [bulk_retry_id = '', batch_id = ''] = process.argv.slice(2);
const { client, payments } = await connect();

const plan = { bulk_retry_id, filter: { batch_id }, reason: 'the bank was down', by: 'oms' };
const { bulkRetry } = await payments.startBulkRetry(plan);
let state = await bulkRetry.state();
// It stops by itself when too many fail again; then an operator decides.
while (!['finished', 'stopped', 'paused'].includes(state.status)) {
  await sleep(2_000);
  state = await bulkRetry.state();
}
console.log(`${bulkRetry.workflowId}: ${state.status}, ${JSON.stringify(state.counts)}`);
await client.connection.close();
