import type { CardToSend } from './card-to-send.js';
import type { Completion } from './completion.js';
import type { StageTable } from './stage-table.js';
import { isWatchedOrderStatus } from './statuses.js';

/**
 * `unsent` nothing was sent, `unknown` after sending, `known` by its identifier, `void` by the service's refusal or an
 * operator's finding: nothing was charged, as is believed.
 */
export type OrderPhase = 'unsent' | 'unknown' | 'known' | 'void';

/** What every order does now, and which commands it takes while it does. */
export const orderStages = {
  /** Sends it. */
  submit: ['cancel'],
  /** Waits for an operator to find out about an unknown outcome. */
  resolve: ['resolveSubmission'],
  /** Reads an identifier that no read finds: it may be the wrong one, or the order may have moved to another one. */
  find: ['resolveSubmission'],
  /** Reads what moves. */
  follow: [],
  /** Reads what is settled, rarely. */
  watch: [],
  closed: [],
} as const satisfies StageTable;

export const cardOrderStages = {
  ...orderStages,
  /** Waits for a card, since none is at hand and nothing was sent. */
  await_card: ['provideCard', 'cancel'],
} as const satisfies StageTable;

export const threeDSecureStages = {
  ...orderStages,
  /** Waits for the customer. */
  authenticate: ['completeThreeDSecure'],
  /** Sends the card of an authenticated customer. */
  complete: [],
  /** Waits for another card of an authenticated customer. */
  await_card: ['completeThreeDSecure', 'provideCard'],
  /** Reads on, and waits for an operator to find out about a completion of unknown outcome. */
  resolve_completion: ['resolveSubmission'],
} as const satisfies StageTable;

export type OrderStage = keyof typeof orderStages;
export type CardOrderStage = keyof typeof cardOrderStages;
export type ThreeDSecureStage = keyof typeof threeDSecureStages;

/** What decides the stage of an order, beside what its status is and whether a read has ever shown it. */
type Staged = {
  readonly phase: OrderPhase;
  readonly closed: boolean;
  readonly card: Pick<CardToSend, 'stage'>;
  readonly completion: Pick<Completion, 'phase'>;
};
type Recorded = {
  readonly status: string;
  readonly everRead: boolean;
  /** Not null once no read has worked for an hour. */
  readonly unreadable?: string | null;
};

/** The part of its stage that every order has. */
export function orderStage(
  { closed, phase }: Pick<Staged, 'closed' | 'phase'>,
  record: Recorded,
): OrderStage {
  if (closed) return 'closed';
  switch (phase) {
    case 'unsent':
      return 'submit';
    case 'unknown':
      return 'resolve';
    case 'void':
      return 'watch';
    case 'known':
      if ((record.unreadable ?? null) !== null) return 'find';
      if (isWatchedOrderStatus(record.status)) return 'watch';
      return record.everRead ? 'follow' : 'find';
  }
}

export function cardOrderStage(order: Omit<Staged, 'completion'>, record: Recorded): CardOrderStage {
  const stage = orderStage(order, record);
  return stage === 'submit' && order.card.stage === 'awaited' ? 'await_card' : stage;
}

export function threeDSecureStage(order: Staged, record: Recorded): ThreeDSecureStage {
  const { card, completion } = order;
  const stage = orderStage(order, record);
  if (order.phase !== 'known' || stage === 'closed') return stage;
  if (completion.phase === 'to_send') return card.stage === 'awaited' ? 'await_card' : 'complete';
  if (isWatchedOrderStatus(record.status)) return stage;
  if (completion.phase === 'unknown') return 'resolve_completion';
  // Its window is over long before no read has worked for an hour.
  const isOpen = completion.phase === 'open' && record.status === 'awaiting_authentication';
  return isOpen && (record.unreadable ?? null) === null ? 'authenticate' : stage;
}
