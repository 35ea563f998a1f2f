import { z } from 'zod';
import { cardReference } from '../src/contract/card.js';
import { cardOrderInput } from '../src/contract/order.js';
import type { SendOnceInput, StoredCardInput } from '../src/contract/outcomes.js';
import type { CreationOutcome } from '../src/domain/submission.js';
import { checked } from './shared/checked.js';
import type { CardSendingDeps } from './shared/deps.js';
import { sendOnce, withoutAnswer } from './shared/send-once.js';
import { withCard } from './shared/with-card.js';

/** `order` is the raw input of the workflow `cardOrder`. */
export type CreateCardOrderInput = SendOnceInput & StoredCardInput & { order: unknown };

const withStoredCard = z.object({ card: cardReference });

/**
 * Submits a card order (`POST /v1/order`) with a card from the card store of this process.
 *
 * Not safe to retry: it charges, and orders cannot be looked up by partner_code.
 */
export const createCardOrder =
  (deps: CardSendingDeps) =>
  async (input: CreateCardOrderInput): Promise<CreationOutcome> => {
    const outcome = await sendOnce(deps, input, {
      check: () => checked(cardOrderInput, input.order, checked(withStoredCard, { card: input.card })),
      send: ({ order, customer, address, risk }, call, notificationUrl) =>
        withCard(deps.cardStore, input, (card) =>
          deps.service.createCardOrder(
            {
              order: { ...order, notification_url: notificationUrl },
              customer,
              credit_card: card,
              address,
              risk,
            },
            call,
          ),
        ),
    });
    return withoutAnswer(outcome);
  };
