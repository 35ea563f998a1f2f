import { isWatchedOrderStatus } from './statuses.js';

/** `unsent` nothing was sent, `unknown` after sending, `known` by its identifier, `void` by an operator's finding. */
export type OrderPhase = 'unsent' | 'unknown' | 'known' | 'void';

/** Of a 3D Secure order: `open` to a completion, one `to_send`, `unknown` its outcome, or `sent`. */
export type CompletionPhase = 'open' | 'to_send' | 'unknown' | 'sent';

/**
 * What an order does now: `submit` it, wait for an operator to `resolve` an unknown outcome, wait for the customer to
 * `authenticate`, `complete` it with a card, `follow` what moves, or `watch` what is settled.
 */
export type OrderStage = 'submit' | 'resolve' | 'authenticate' | 'complete' | 'follow' | 'watch';

/** @param completion null for orders without 3D Secure */
export function orderStage(
  phase: OrderPhase,
  status: string,
  completion: CompletionPhase | null,
): OrderStage {
  switch (phase) {
    case 'unsent':
      return 'submit';
    case 'unknown':
      return 'resolve';
    case 'void':
      return 'watch';
    case 'known':
      if (completion === 'to_send') return 'complete';
      if (isWatchedOrderStatus(status)) return 'watch';
      return completion === 'open' && status === 'awaiting_authentication' ? 'authenticate' : 'follow';
  }
}
