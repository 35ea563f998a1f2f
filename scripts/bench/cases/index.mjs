import { bareValidations, validations } from './account-validations.mjs';
import { batch, besideBatch, bulkRetry } from './bulk.mjs';
import { finals } from './final-after.mjs';
import { histories } from './histories.mjs';
import { barePostbackToStatus, bareStartToId, postbackToStatus, startToId } from './latency.mjs';
import { openPayouts } from './open-payouts.mjs';
import {
  bareCardOrders,
  bareCheckouts,
  bareSecureOrders,
  cardOrders,
  checkouts,
  secureOrders,
} from './orders.mjs';
import {
  bare,
  bareUpserts,
  empty,
  gateway0,
  gateway1,
  gateway2,
  naive,
  payout,
  payoutDirect,
} from './payouts.mjs';
import { duplicates, forged } from './postbacks.mjs';
import { bareRefunds, refunds, refundsByClient } from './refunds.mjs';
import { workerStart } from './worker-start.mjs';

/** Every case, in the order of the report. Those on demand are run when they are named. */
export const cases = [
  ...[empty, bare, bareUpserts, naive, payout, payoutDirect, gateway0, gateway1, gateway2],
  ...[cardOrders, bareCardOrders, checkouts, bareCheckouts, secureOrders, bareSecureOrders],
  ...[refunds, refundsByClient, bareRefunds, validations, bareValidations],
  ...finals,
  ...[batch, besideBatch, bulkRetry, startToId, bareStartToId, postbackToStatus, barePostbackToStatus],
  ...[forged, duplicates, workerStart, histories, openPayouts],
];
