import { setHandler } from '@temporalio/workflow';
import type { ProvideCard, ResolveSubmission } from '../src/contract/messages.js';
import type { CardOrderInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { CardOrderStory, type CardOrderCarry, type CardOrderCommand } from './card-order-story.js';
import { provideCardUpdate, resolveSubmissionUpdate } from './messages/submission.js';
import { Lifecycle } from './shared/lifecycle.js';

/**
 * A credit card order, from its submission through settlement to the end of its watch. The card waits in the
 * memory of a gateway; here is only where. It is sent once; what became of a call without an answer, a person
 * finds out.
 *
 * Source: §4 POST /v1/order, GET /v1/order/{id}.
 */
export async function cardOrder(input: CardOrderInput, carried?: CardOrderCarry): Promise<OrderState> {
  const story = new CardOrderStory(input, carried);
  const { core, way } = story;
  const life = new Lifecycle<CardOrderCommand, OrderState>(core.record, core.follower, story);

  setHandler(provideCardUpdate, (command) => life.inbox.ask({ ...command, kind: 'provide_card' }), {
    validator: (command: ProvideCard) => {
      way.refuse(command);
    },
  });
  setHandler(resolveSubmissionUpdate, (command) => life.inbox.ask({ ...command, kind: 'resolve' }), {
    validator: (_command: ResolveSubmission) => {
      core.refuseUnlessUnknown();
    },
  });

  return life.run();
}
