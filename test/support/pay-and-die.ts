import type { ResettableStack } from './resets.js';

/** Takes the payout's task as a worker that pays, and dies before it can report. */
export async function payAndDie(
  stack: ResettableStack,
  code: string,
): Promise<{ taskToken: Uint8Array; activityId: string }> {
  const { server, service, taskQueue, tokens } = stack;
  const task = await stack.withoutActivities(() =>
    server.connection.workflowService.pollActivityTaskQueue({
      namespace: server.namespace,
      taskQueue: { name: taskQueue },
      identity: 'a worker that will die',
    }),
  );
  const { token } = await tokens.current();
  const call = { token, tokenIsNew: false, refusal: () => undefined };
  await service.createPixPayout(paymentBySomebody(code), call);
  return { taskToken: task.taskToken, activityId: task.activityId };
}

/** The request that the activity would have sent. */
function paymentBySomebody(partnerCode: string) {
  return {
    partner_code: partnerCode,
    kind: 'personal',
    first_name: 'Maria',
    last_name: 'Silva',
    document: '52998224725',
    value: 150.25,
    pix: 'maria.silva@example.com',
    notification_url: 'http://127.0.0.1:9/postbacks/x',
  };
}
