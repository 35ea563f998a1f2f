import { connect } from './connect.js';

const [partner_code = '', pix = ''] = process.argv.slice(2);
const { client, payments } = await connect();
const payee = { first_name: 'Ana', last_name: 'Lima', document: '52998224725' };

// Sent again, it answers with the payout that is there; with other contents it is a PaymentConflictError.
const { payment } = await payments.startPayout({ method: 'pix', partner_code, value: 150.5, pix, ...payee });
const { status } = await payment.awaitStatus({
  statuses: ['done', 'error', 'rejected'],
  timeout_seconds: 30,
});
console.log(`${payment.workflowId}: ${status}`);
await client.connection.close();
