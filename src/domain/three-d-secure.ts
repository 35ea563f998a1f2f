import { cardAwaited, cardDone, cardGiven, type CardReference } from './card-to-send.js';
import type { Completion } from './completion.js';
import { hasMoved, type Order, type OrderChange } from './order.js';
import { orderStatements } from './statements.js';

/** The customer is authenticated: a completion is due. */
export function completionBegun(
  order: Order,
  {
    callback,
    card,
    eci,
  }: { callback: string; eci: string; card: CardReference & { by?: string | undefined } },
  now: number,
): OrderChange {
  return {
    ...withCompletion(order, { phase: 'to_send', credentials: { callback, eci } }),
    card: cardGiven(card, now, order.card.submission),
    override: 'submitting',
    what: 'The customer is authenticated; the order is completed.',
  };
}

/** The card was lost before it was sent: another one may be provided. */
export function completionAwaitsCard(order: Order, reason: string): OrderChange {
  return {
    ...withCompletion(order, { putOff: true }),
    card: cardAwaited(order.card, order.completion.until ?? 0, reason),
    override: 'awaiting_card',
    what: reason,
  };
}

/** The service took the completion. */
export function completionTaken(order: Order): OrderChange {
  return {
    ...withCompletion(order, { phase: 'sent', sentBefore: true, credentials: null }),
    expiresAt: null,
    override: null,
    what: 'The service took the completion.',
  };
}

/** It is not known whether the service took the completion. */
export function completionUnknown(order: Order, reason: string): OrderChange {
  return {
    ...withCompletion(order, { phase: 'unknown', sentBefore: true, credentials: null }),
    card: cardDone(order.card),
    override: 'submission_unknown',
    expiresAt: null,
    reason,
    what: reason,
  };
}

/** Nothing of the completion was sent, or it had no effect: the customer may authenticate again. */
export function completionReopened(order: Order, what: string, wasSent: boolean): OrderChange {
  const sentBefore = wasSent || order.completion.sentBefore;
  return {
    ...withdrawn(order, { sentBefore }),
    override: 'awaiting_authentication',
    expiresAt: order.completion.until,
    what,
  };
}

/** A read has shown that the order moved on or expired: nothing is to be sent, and nothing is unknown any more. */
export function completionSettled(order: Order, status: string): OrderChange {
  if (!hasMoved('three_d_secure_order', order) && status !== 'expired') return {};
  switch (order.completion.phase) {
    case 'unknown':
      return withCompletion(order, { phase: 'sent' });
    case 'to_send':
      return withdrawn(order);
    case 'open':
    case 'sent':
      return {};
  }
}

/** An operator found out about a completion of unknown outcome. */
export function completionFound(order: Order, wasTaken: boolean): OrderChange {
  if (wasTaken) {
    const what = 'The service took the completion.';
    const news = ['Resolved: the service took the completion'];
    return { ...withCompletion(order, { phase: 'sent' }), override: null, news, what };
  }
  const reopened = completionReopened(
    order,
    `The completion came to nothing. ${orderStatements.found}`,
    false,
  );
  return { ...reopened, news: ['Resolved: the completion had done nothing'] };
}

/** A run that was reset may have completed the order, whatever the order reads as now. */
export function completionAfterReset(order: Order, status: string): OrderChange {
  const { phase } = order.completion;
  if (phase === 'open' && hasMoved('three_d_secure_order', order))
    return withCompletion(order, { phase: 'sent' });
  return phase === 'to_send' || (phase === 'open' && status !== 'expired')
    ? completionUnknown(order, 'A run before this one was reset: the completion may have been sent.')
    : {};
}

export function withCompletion({ completion }: Order, changes: Partial<Completion>): OrderChange {
  return { completion: { ...completion, ...changes } };
}

function withdrawn(order: Order, changes: Partial<Completion> = {}): OrderChange {
  return {
    ...withCompletion(order, { ...changes, phase: 'open', credentials: null }),
    card: cardDone(order.card),
  };
}
