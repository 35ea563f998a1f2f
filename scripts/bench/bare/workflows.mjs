// What an engineer would write first, on the bare SDK: the same calls of the service, and nothing of what this program
// adds (no search attributes, no details, no commands, no proof before a second attempt).
import { defineSearchAttributeKey } from '@temporalio/common';
import * as wf from '@temporalio/workflow';

// Tried again when it is lost: on a busy machine the answer that holds a task may not reach the worker.
const activities = wf.proxyActivities({ startToCloseTimeout: '5 seconds' });
const paymentStatus = defineSearchAttributeKey('PaymentStatus', 'KEYWORD');
const opened = wf.defineUpdate('opened');
const complete = wf.defineUpdate('complete');
const postbackReceived = wf.defineSignal('postbackReceived');

/** The least that a workflow can cost: it starts and ends. */
export async function empty() {}

/** POST, one timer, one GET, each call an activity. */
export async function bareLifecycle(payout, firstReadMs) {
  const { id } = await activities.createBarePayout(payout);
  await wf.sleep(firstReadMs);
  return (await activities.readBarePayout(id)).status;
}

/** The same, and its status can be searched for. */
export async function bareUpserts(payout, firstReadMs) {
  const { id } = await activities.createBarePayout(payout);
  wf.upsertSearchAttributes([{ key: paymentStatus, value: 'claimed' }]);
  await wf.sleep(firstReadMs);
  const { status } = await activities.readBarePayout(id);
  wf.upsertSearchAttributes([{ key: paymentStatus, value: status }]);
  return status;
}

/** A card order until it is settled: POST, then a timer and a GET, again and again. Its card is in its history. */
export async function bareOrder(order, everyMs) {
  const { id } = await activities.createBareOrder(order);
  await untilRead(id, everyMs, 'compensated');
  return id;
}

/** A hosted checkout until it is settled: its customer pays it meanwhile. */
export async function bareCheckout(checkout, everyMs) {
  const { id } = await activities.createBareCheckout(checkout);
  await untilRead(id, everyMs, 'compensated');
  return id;
}

/** A 3D Secure order: POST, PUT when the customer is authenticated, then as a card order. Its card is in its history. */
export async function bareSecureOrder(order, everyMs) {
  let id;
  let completion;
  wf.setHandler(opened, async () => {
    await wf.condition(() => id !== undefined);
    return id;
  });
  wf.setHandler(complete, (given) => {
    completion = given;
  });
  ({ id } = await activities.createBareSecureOrder(order));
  await wf.condition(() => completion !== undefined);
  await activities.completeBareSecureOrder(id, completion);
  await untilRead(id, everyMs, 'compensated');
  return id;
}

/** The validation of an account: POST, and a postback that says what came of it. */
export async function bareValidation(validation) {
  let said;
  wf.setHandler(postbackReceived, ({ body }) => {
    said = body;
  });
  await activities.createBareValidation(validation, wf.workflowInfo().workflowId);
  await wf.condition(() => said !== undefined);
  return said;
}

/** A refund: a GET, PUT, then a timer and a GET, again and again. */
export async function bareRefund(id, everyMs) {
  await activities.readBareOrder(id);
  await activities.requestBareRefund(id);
  await untilRead(id, everyMs, 'refunded');
  return id;
}

async function untilRead(id, everyMs, wanted) {
  do await wf.sleep(everyMs);
  while ((await activities.readBareOrder(id)).status !== wanted);
}

/** POST, then a timer and a GET each second of the three that the service takes. */
export async function naivePolling(payout, everyMs) {
  const { id } = await activities.createBarePayout(payout);
  for (let second = 1; ; second += 1) {
    await wf.sleep(everyMs);
    const { status } = await activities.readBarePayout(id);
    // Scaled down, the second takes longer than the service's three.
    if (second >= 3 && status === 'done') return status;
  }
}

/** A postback makes it read, and it ends: the least between a postback and a status that can be seen. */
export async function bareSignal(id) {
  let isSignalled = false;
  wf.setHandler(postbackReceived, () => {
    isSignalled = true;
  });
  await wf.condition(() => isSignalled);
  return (await activities.readBarePayout(id)).status;
}
