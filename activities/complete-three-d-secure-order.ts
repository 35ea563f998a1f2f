import { z } from 'zod';
import { cardReference } from '../src/contract/card.js';
import { serviceId } from '../src/contract/fields.js';
import { threeDSecureCredentials } from '../src/contract/order.js';
import type { SendOnceInput, StoredCardInput } from '../src/contract/outcomes.js';
import type { CreationOutcome } from '../src/domain/submission.js';
import { checked } from './shared/checked.js';
import type { CardSendingDeps } from './shared/deps.js';
import { sendOnce } from './shared/send-once.js';
import { withCard } from './shared/with-card.js';

/** `callback` and `eci` are what the browser's authentication came to. */
export type CompleteThreeDSecureOrderInput = SendOnceInput &
  StoredCardInput & { service_id: string; callback: string; eci: string };

const completion = z.object({
  ...threeDSecureCredentials.shape,
  service_id: serviceId,
  card: cardReference,
});

/**
 * Completes a 3D Secure order (`PUT /v1/3ds/order/{id}`) with a card from the card store of this process. Its answer is
 * undocumented and goes along.
 *
 * Not safe to retry: it charges, and no documented read shows whether it did.
 */
export const completeThreeDSecureOrder =
  (deps: CardSendingDeps) =>
  (input: CompleteThreeDSecureOrderInput): Promise<CreationOutcome> =>
    sendOnce(deps, input, {
      check: () => checked(completion, input),
      send: ({ service_id, callback, eci }, call) =>
        withCard(deps.cardStore, input, (card) =>
          deps.service.completeThreeDSecureOrder(
            service_id,
            { credit_card: card, credentials: { callback, eci } },
            call,
          ),
        ),
    });
