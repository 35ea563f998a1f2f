import { setHandler } from '@temporalio/workflow';
import type { AbandonPayout, ResolveSubmission, RetryPayout } from '../src/contract/messages.js';
import type { PayoutInput } from '../src/contract/payout.js';
import type { PayoutState } from '../src/contract/state.js';
import { abandonPayoutUpdate, retryPayoutSignal, retryPayoutUpdate } from './messages/payout.js';
import { resolveSubmissionUpdate } from './messages/submission.js';
import { refuseRetry, retryOf, type PayoutCommand } from './payout-commands.js';
import { PayoutStory, type PayoutCarry } from './payout-story.js';
import { Lifecycle, operatorOf } from './shared/lifecycle.js';

/**
 * A payout by pix or bank transfer, from its submission to the end of its watch. One workflow owns it through any
 * number of attempts; a further one is made only on command, and only when every former one is proven failed.
 *
 * Source: §4 POST /v1/payout/pix, POST /v1/payout/transfer, GET /v1/payout/{id}, GET /v1/payouts.
 */
export async function payout(input: PayoutInput, carried?: PayoutCarry): Promise<PayoutState> {
  const story = new PayoutStory(input, carried);
  const life = new Lifecycle<PayoutCommand, PayoutState>(story.record, story.follower, story);

  setHandler(retryPayoutUpdate, (command: RetryPayout) => life.inbox.ask(retryOf(command, story)), {
    validator: (command: RetryPayout) => {
      refuseRetry(command, story);
    },
  });
  setHandler(retryPayoutSignal, (command: RetryPayout) => {
    try {
      refuseRetry(command, story);
    } catch {
      return; // A batch signal reaches payouts in every state; only those that are parked heed it.
    }
    life.inbox.tell(retryOf(command, story));
  });
  setHandler(abandonPayoutUpdate, (command) => life.inbox.ask({ ...operatorOf(command), kind: 'abandon' }), {
    validator: (_command: AbandonPayout) => {
      story.attempts.refuseUnlessParked();
    },
  });
  setHandler(resolveSubmissionUpdate, (command) => life.inbox.ask({ ...command, kind: 'resolve' }), {
    validator: (_command: ResolveSubmission) => {
      story.attempts.refuseUnlessUnknown();
    },
  });

  return life.run();
}
