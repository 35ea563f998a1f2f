import type { StageTable } from './stage-table.js';
import { isWatchedOrderStatus } from './statuses.js';

/** `unsent` nothing was sent, `unknown` after sending, `known` by its identifier, `void` by an operator's finding. */
export type OrderPhase = 'unsent' | 'unknown' | 'known' | 'void';

/** Of a 3D Secure order: `open` to a completion, one `to_send`, `unknown` its outcome, or `sent`. */
export type CompletionPhase = 'open' | 'to_send' | 'unknown' | 'sent';

/** What every order does now, and which commands it takes while it does. */
export const orderStages = {
  /** Sends it. */
  submit: ['cancel'],
  /** Waits for an operator to find out about an unknown outcome. */
  resolve: ['resolveSubmission'],
  /** Reads an identifier that no read has ever found: it may be the wrong one. */
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

/** What decides the stage of an order. */
type Order = { phase: OrderPhase; status: string; closed: boolean; everRead: boolean };

export function orderStage({ closed, everRead, phase, status }: Order): OrderStage {
  if (closed) return 'closed';
  switch (phase) {
    case 'unsent':
      return 'submit';
    case 'unknown':
      return 'resolve';
    case 'void':
      return 'watch';
    case 'known':
      if (isWatchedOrderStatus(status)) return 'watch';
      return everRead ? 'follow' : 'find';
  }
}

export function cardOrderStage(order: Order & { awaitsCard: boolean }): CardOrderStage {
  const stage = orderStage(order);
  return stage === 'submit' && order.awaitsCard ? 'await_card' : stage;
}

export function threeDSecureStage(
  order: Order & { awaitsCard: boolean; completion: CompletionPhase },
): ThreeDSecureStage {
  const stage = orderStage(order);
  if (order.phase !== 'known' || stage === 'closed') return stage;
  if (order.completion === 'to_send') return order.awaitsCard ? 'await_card' : 'complete';
  if (stage === 'watch') return stage;
  if (order.completion === 'unknown') return 'resolve_completion';
  const isOpen = order.completion === 'open' && order.status === 'awaiting_authentication';
  return isOpen ? 'authenticate' : stage;
}
