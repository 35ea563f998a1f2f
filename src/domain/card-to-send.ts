import { newSubmission, type SubmissionState, type Unproven } from './submission.js';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** A reference that `POST /v1/cards` has answered. Its digits are random, and are never searched for a card's. */
export const cardRefPattern = new RegExp(`^${uuid}$`);
/** The task queue of a gateway's card store. */
export const cardQueuePattern = new RegExp(`^card-store-${uuid}$`);

/** In which gateway's memory a card waits. */
export type CardReference = { readonly card_ref: string; readonly task_queue: string };

/** A card that waits in the memory of a gateway, and how far its submission has come. Plain JSON. */
export type CardToSend = {
  /** `none` is wanted, one is `to_send`, or one is `awaited` because none is at hand. */
  readonly stage: 'none' | 'to_send' | 'awaited';
  /** `given_by` is the name of the API key that gave it later, which may be an operator's; null when it came with the start. */
  readonly card: (CardReference & { given_by: string | null }) | null;
  /** Until when a card is awaited. */
  readonly until: number;
  /** Why one is awaited. */
  readonly reason: string | null;
  readonly submission: SubmissionState;
};

export function noCard(now: number): CardToSend {
  return { stage: 'none', card: null, until: 0, reason: null, submission: newSubmission(now) };
}

/** A card to be sent. @param earlier those that were sent before it */
export function cardGiven(
  { by, card_ref, task_queue }: CardReference & { by?: string | undefined },
  now: number,
  earlier: Unproven = {},
): CardToSend {
  return {
    ...noCard(now),
    ...{ stage: 'to_send', card: { card_ref, task_queue, given_by: by ?? null } },
    submission: newSubmission(now, earlier),
  };
}

/** Nothing was sent and no card is at hand: one is asked for. */
export function cardAwaited({ submission }: CardToSend, until: number, reason: string): CardToSend {
  return { stage: 'awaited', card: null, until, reason, submission };
}

/** No card is wanted any more. */
export function cardDone({ submission }: CardToSend): CardToSend {
  return { stage: 'none', card: null, until: 0, reason: null, submission };
}

/** When the card is to be sent, or until when one is awaited. */
export function cardDueAt({ stage, submission, until }: CardToSend): number {
  return stage === 'to_send' ? submission.at : stage === 'awaited' ? until : Infinity;
}

/** Why a card is awaited, and what keeps one from being sent. */
export function cardFacts({ reason, stage, submission }: CardToSend) {
  return {
    awaited: stage === 'awaited' ? reason : null,
    unsent: stage === 'to_send' ? submission.unsent : null,
  };
}
