import { expect } from 'vitest';
import { markSending } from '../../src/temporal/mark-sending.js';
import type { ResettableStack } from './resets.js';

type Taken = { taskToken: Uint8Array; activityId: string };

/** Takes the payout's task as a worker that dies before it does anything. */
export function takeAndDie({ server, taskQueue, withoutActivities }: ResettableStack): Promise<Taken> {
  return withoutActivities(() =>
    server.connection.workflowService.pollActivityTaskQueue({
      namespace: server.namespace,
      taskQueue: { name: taskQueue },
      identity: 'a worker that will die',
    }),
  );
}

/** Takes the payout's task as a worker that pays, and dies before it can report. */
export async function payAndDie(stack: ResettableStack, code: string): Promise<Taken> {
  const { server, service, tokens } = stack;
  const { taskToken, activityId } = await takeAndDie(stack);
  expect(await markSending(server.client, taskToken, 10_000)).toBeUndefined();
  const { token } = await tokens.current();
  const call = { token, tokenIsNew: false, refusal: () => undefined };
  await service.createPixPayout(paymentBySomebody(code), call);
  return { taskToken, activityId };
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
