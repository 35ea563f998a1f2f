import { setHandler } from '@temporalio/workflow';
import type { ResolveRefund, RetryRefund } from '../src/contract/messages.js';
import type { RefundInput } from '../src/contract/refund.js';
import type { RefundState } from '../src/contract/state.js';
import { resolveRefundUpdate, retryRefundUpdate } from './messages/refund.js';
import { refuseResolve, refuseRetry, type RefundCommand } from './refund-commands.js';
import { RefundStory, type RefundCarry } from './refund-story.js';
import { Lifecycle } from './shared/lifecycle.js';

/**
 * The refund of an order, by the order's identifier at the service, whether or not its own workflow is still there.
 * It is asked for once and followed until a read shows the order as refunded, or a person has resolved it. A read
 * that goes on showing `paid` proves neither that it failed nor that it was never queued.
 *
 * Source: §4 PUT /v1/order/{id}/refund, GET /v1/order/{id}.
 */
export async function refund(input: RefundInput, carried?: RefundCarry): Promise<RefundState> {
  const story = new RefundStory(input, carried);
  const life = new Lifecycle<RefundCommand, RefundState>(story.record, story.follower, story);

  setHandler(retryRefundUpdate, (command) => life.inbox.ask({ ...command, kind: 'retry' }), {
    validator: (command: RetryRefund) => {
      refuseRetry(command, story);
    },
  });
  setHandler(resolveRefundUpdate, (command) => life.inbox.ask({ ...command, kind: 'resolve' }), {
    validator: (command: ResolveRefund) => {
      refuseResolve(command, story);
    },
  });

  return life.run();
}
