import { batch, besideBatch, bulkRetry } from './bulk.mjs';
import { finals } from './final-after.mjs';
import { histories } from './histories.mjs';
import { barePostbackToStatus, bareStartToId, postbackToStatus, startToId } from './latency.mjs';
import { openPayouts } from './open-payouts.mjs';
import { duplicates, forged } from './postbacks.mjs';
import { sdkShare } from './sdk-share.mjs';
import { slots } from './slots.mjs';
import * as throughput from './throughput.mjs';
import { workerStart } from './worker-start.mjs';

const { empty, bare, bareLocal, bareUpserts, naive } = throughput;
const {
  payout,
  payoutDirect,
  gateway0,
  gateway1,
  gateway2,
  order,
  bareOrder,
  refund,
  refundByClient,
  bareRefund,
} = throughput;

/** Every case, in the order of the report. Those on demand are run when they are named. */
export const cases = [
  ...[empty, bare, bareLocal, bareUpserts, naive, payout, payoutDirect, gateway0, gateway1, gateway2],
  ...[order, bareOrder, refund, refundByClient, bareRefund],
  ...finals,
  ...[batch, besideBatch, bulkRetry, startToId, bareStartToId, postbackToStatus, barePostbackToStatus],
  ...[forged, duplicates, workerStart, histories, openPayouts, ...slots, sdkShare],
];
