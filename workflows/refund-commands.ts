import type { ResolveRefund, RetryRefund } from '../src/contract/messages.js';
import type { RefundStory } from './refund-story.js';
import { refusal } from './shared/inbox.js';
import { operatorOf } from './shared/lifecycle.js';

type Retry = RetryRefund & { kind: 'retry' };
type Resolve = ResolveRefund & { kind: 'resolve' };

export type RefundCommand = Retry | Resolve;

/** Refuses at the door a retry that must not be. Only the sender's own word covers a request that may be queued. */
export function refuseRetry(command: RetryRefund | undefined, story: RefundStory): void {
  refuseUnlessParked(story);
  if (story.follow.mayBeQueued && command?.nothing_queued !== true) {
    throw refusal(
      'DecisionNeeded',
      'The former request may have been queued, and a further one would then refund twice. Look at the service; ' +
        'when it is certain that it holds none, send nothing_queued: true.',
    );
  }
}

export function refuseResolve(command: ResolveRefund | undefined, story: RefundStory): void {
  refuseUnlessParked(story);
  const outcome: unknown = command?.outcome;
  if (outcome !== 'refunded' && outcome !== 'not_refunded') {
    throw refusal('InvalidMessage', 'resolveRefund takes an outcome: refunded or not_refunded.');
  }
}

export async function obeyRefundCommand(story: RefundStory, command: RefundCommand): Promise<void> {
  if (command.kind === 'retry') await retry(story, command);
  else resolve(story, command);
}

/** One more request, once a fresh read has shown that no refund is done or under way. */
async function retry(story: RefundStory, command: Retry): Promise<void> {
  refuseRetry(command, story);
  const usable = await story.follow.look('command');
  if (!story.follow.isParked || story.follow.isUnderWay) {
    throw refusal('AlreadyMoving', `A fresh read shows ${story.record.status}. Nothing was sent.`);
  }
  const objection = story.follow.objection();
  if (!usable && objection === null) {
    throw refusal(
      'CouldNotRead',
      'The order could not be read just now, so nothing was sent. Try again later.',
    );
  }
  if (objection !== null) throw refusal('AlreadyMoving', `${objection} Nothing was sent.`);
  story.requestAgain(operatorOf(command));
}

function resolve(story: RefundStory, command: Resolve): void {
  refuseResolve(command, story);
  story.follow.resolveAs(command.outcome, operatorOf(command));
}

function refuseUnlessParked(story: RefundStory): void {
  if (!story.follow.isParked) {
    throw refusal(
      'NotParked',
      `This refund is ${story.record.status} and waits for nobody: there is nothing to retry or resolve.`,
    );
  }
}
