import { connect } from './connect.js';

const [partnerCode = '', pix = ''] = process.argv.slice(2);
const { client, payments } = await connect();
const payout = payments.payout(partnerCode);

const attempt = (await payout.state()).attempts.length;
// It names the attempt that has failed: the command, sent again under the same id, is executed once.
await payout.retry({ attempt, corrections: { pix }, reason: 'wrong key', by: 'oms' }, `retry-${attempt}`);
const { status, attempts } = await payout.awaitStatus({ statuses: ['done', 'error'], timeout_seconds: 30 });
console.log(`${payout.workflowId}: ${status} at attempt ${attempts.length}`);
await client.connection.close();
