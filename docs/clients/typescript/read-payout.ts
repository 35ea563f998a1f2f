import { connect } from './connect.js';

const [partnerCode = ''] = process.argv.slice(2);
const { client, payments } = await connect();

// Answers for closed payments too. What comes back is encrypted, and decrypted by codec.ts.
const { status, attention, value } = await payments.payout(partnerCode).state();
console.log(`payout-${partnerCode}: ${status}, attention ${attention}, ${value.toFixed(2)} reais`);
await client.connection.close();
