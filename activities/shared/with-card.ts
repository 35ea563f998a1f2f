import type { CardStore, StoredCard } from '../../src/card-store/card-store.js';
import type { StoredCardInput } from '../../src/contract/outcomes.js';
import { provesNothingHappened } from '../../src/domain/outcome-classes.js';
import type { Creation, ServiceResult } from '../../src/payments-service/result.js';
import type { CardGone } from './send-once.js';

const usedBefore = {
  outcome: 'unknown',
  httpStatus: null,
  reason: 'This card was used before: that time it may have been charged. Nothing was sent now.',
} as const;

/** Makes one call with a card on a lease: back to the card store only when the call certainly did nothing. */
export async function withCard(
  cardStore: CardStore,
  { card: { card_ref: cardRef }, owner, given_by: givenBy }: StoredCardInput,
  call: (card: StoredCard) => Promise<ServiceResult<Creation>>,
): Promise<ServiceResult<Creation> | CardGone> {
  const lease = cardStore.lease(cardRef, { owner, givenBy });
  if (lease === undefined) {
    if (cardStore.mayHaveBeenUsed(cardRef)) return usedBefore;
    return { outcome: 'card_gone', reason: 'The card is no longer at hand.' };
  }
  try {
    const result = await call(lease.card);
    if (result.outcome !== 'answered' && provesNothingHappened(result.outcome)) lease.giveBack();
    return result;
  } finally {
    lease.burn();
  }
}
