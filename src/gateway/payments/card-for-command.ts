import { CommandPendingError, TemporalUnavailableError } from '../../client/errors.js';
import type { CardReference, CreditCard } from '../../contract/card.js';
import type { GatewayCardStore } from '../deps.js';
import { invalidRequest } from '../http/http-error.js';
import type { Requested } from './ownership.js';
import { takeCard } from './take-card.js';

/** A command's card: itself, or where it waits already. */
type SentCard = { credit_card?: CreditCard | undefined; card?: CardReference | undefined };

/**
 * Gives a command with its card. A card that came along goes to the card store, and out again when the command was surely
 * not taken; when Temporal gave no answer, or it waits to be executed, it needs the card.
 */
export async function withCard<Answer>(
  request: Requested,
  cardStore: GatewayCardStore,
  { credit_card, card }: SentCard,
  give: (reference: CardReference) => Promise<Answer>,
): Promise<Answer> {
  const ticket = credit_card === undefined ? undefined : takeCard(request, cardStore, credit_card);
  const reference = ticket ?? card;
  if (reference === undefined) {
    throw invalidRequest([{ field: 'credit_card', message: 'send either credit_card or card' }]);
  }
  try {
    return await give(reference);
  } catch (error) {
    const mayBeTaken = error instanceof TemporalUnavailableError || error instanceof CommandPendingError;
    if (ticket !== undefined && !mayBeTaken) cardStore.discard(ticket.card_ref);
    throw error;
  }
}
