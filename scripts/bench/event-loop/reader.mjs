// A reader of the service's answers, in a process of its own: makes the call that it is told to, and reports its longest turn.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPaymentsService } from '../../../dist/src/payments-service/create-payments-service.js';
import { takeLongest, watchTurns } from './longest-turn.mjs';

const [baseUrl] = process.argv.slice(2);
const service = createPaymentsService({ baseUrl, clientId: 'bench', clientSecret: 'bench-client-secret' });
const call = { token: 'bench-token-0123456789', tokenIsNew: false, refusal: () => undefined };
const card = {
  holder: 'JANE DOE',
  number: '4111111111111111',
  cvv: '737',
  due_date: '12/2099',
  brand: 'visa',
};
const calls = {
  authenticate: () => service.authenticate(),
  createCardOrder: () => service.createCardOrder({ credit_card: card }, call),
  createCheckout: () => service.createCheckout({}, call),
  createThreeDSecureOrder: () => service.createThreeDSecureOrder({}, call),
  completeThreeDSecureOrder: () => service.completeThreeDSecureOrder('7', { credit_card: card }, call),
  createPixPayout: () => service.createPixPayout({}, call),
  createTransferPayout: () => service.createTransferPayout({}, call),
  validateAccount: () => service.validateAccount({}, call),
  requestRefund: () => service.requestRefund('7', call),
  readOrder: () => service.readOrder('7', call),
  readThreeDSecureToken: () => service.readThreeDSecureToken(call),
  readPayout: () => service.readPayout('7', call),
  listPayouts: () => service.listPayouts({ page: 1, per_page: 200 }, call),
};

watchTurns();
process.on('message', async (name) => {
  takeLongest();
  const { outcome } = await calls[name]();
  // Some turns later, so that what stopped the loop last is counted.
  await sleep(5);
  process.send({ status: outcome, ms: takeLongest() });
});
process.on('disconnect', () => process.exit());
process.send({});
