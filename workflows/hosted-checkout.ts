import { setHandler } from '@temporalio/workflow';
import type { ResolveSubmission } from '../src/contract/messages.js';
import type { HostedCheckoutInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import {
  HostedCheckoutStory,
  type HostedCheckoutCarry,
  type HostedCheckoutCommand,
} from './hosted-checkout-story.js';
import { resolveSubmissionUpdate } from './messages/submission.js';
import { Lifecycle } from './shared/lifecycle.js';

/**
 * An order that the customer pays on a page of the service: from its submission, which answers where the customer is
 * sent, to the end of its watch. One that nobody pays in time expires, by a read that worked; it is watched on, and a
 * payment after that reaches a person.
 *
 * Source: §4 POST /v1/checkout, GET /v1/order/{id}.
 */
export async function hostedCheckout(
  input: HostedCheckoutInput,
  carried?: HostedCheckoutCarry,
): Promise<OrderState> {
  const story = new HostedCheckoutStory(input, carried);
  const { core } = story;
  const life = new Lifecycle<HostedCheckoutCommand, OrderState>(core.record, core.follower, story);

  setHandler(resolveSubmissionUpdate, (command) => life.inbox.ask({ ...command, kind: 'resolve' }), {
    validator: (_command: ResolveSubmission) => {
      core.refuseUnlessUnknown();
    },
  });

  return life.run();
}
