import { ActivityFailure, CancellationScope, setHandler } from '@temporalio/workflow';
import type {
  CompleteThreeDSecure,
  IssueThreeDSecureToken,
  ProvideCard,
  ResolveSubmission,
} from '../src/contract/messages.js';
import type { ThreeDSecureOrderInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { provideCardUpdate, resolveSubmissionUpdate } from './messages/submission.js';
import { completeThreeDSecureUpdate, issueThreeDSecureTokenUpdate } from './messages/three-d-secure.js';
import { reading } from './shared/activities.js';
import { refusal } from './shared/inbox.js';
import { Lifecycle } from './shared/lifecycle.js';
import {
  ThreeDSecureStory,
  type ThreeDSecureCarry,
  type ThreeDSecureCommand,
} from './three-d-secure-order-story.js';

/**
 * An order that the customer authenticates in the browser: from its submission through tokens for the browser, the
 * completion with a card from the desk and settlement, to the end of its watch. One that is not completed in time
 * expires, by a read that worked.
 *
 * Source: §4 POST /v1/3ds/order, GET /v1/3ds/token, PUT /v1/3ds/order/{id}, GET /v1/order/{id}.
 */
export async function threeDSecureOrder(
  input: ThreeDSecureOrderInput,
  carried?: ThreeDSecureCarry,
): Promise<OrderState> {
  const story = new ThreeDSecureStory(input, carried);
  const { core, completion } = story;
  const life = new Lifecycle<ThreeDSecureCommand, OrderState>(core.record, core.follower, story);

  setHandler(issueThreeDSecureTokenUpdate, issueToken, {
    validator: (_command: IssueThreeDSecureToken) => {
      completion.refuseToken();
    },
  });
  setHandler(completeThreeDSecureUpdate, (command) => life.inbox.ask({ ...command, kind: 'complete' }), {
    validator: (command: CompleteThreeDSecure) => {
      completion.refuse(command);
    },
  });
  setHandler(provideCardUpdate, (command) => life.inbox.ask({ ...command, kind: 'provide_card' }), {
    validator: (command: ProvideCard) => {
      completion.way.refuse(command);
    },
  });
  setHandler(resolveSubmissionUpdate, (command) => life.inbox.ask({ ...command, kind: 'resolve' }), {
    validator: (_command: ResolveSubmission) => {
      story.refuseUnlessUnknown();
    },
  });

  return life.run();
}

/** Changes no state, so it needs not wait for the main function. */
async function issueToken() {
  try {
    return await CancellationScope.nonCancellable(() =>
      reading("get a token for the customer's browser").readThreeDSecureToken(),
    );
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    throw refusal('CouldNotRead', 'The service gave no token just now. Nothing was changed. Ask again.');
  }
}
