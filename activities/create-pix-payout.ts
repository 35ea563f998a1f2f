import type { CreationOutcome } from '../src/contract/outcomes.js';
import type { SendingDeps } from './shared/deps.js';
import { checkPayout, payoutRequest, type CreatePayoutInput } from './shared/payout-request.js';
import { sendOnce, withoutAnswer } from './shared/send-once.js';

/** `payout` is the raw input of the workflow `payout`, with the method pix. */
export type CreatePixPayoutInput = CreatePayoutInput;

/**
 * Pays out to an instant-payment key (`POST /v1/payout/pix`).
 *
 * Not safe to retry: it pays. After an unknown outcome `findPayouts` shows whether the service took it.
 */
export const createPixPayout =
  (deps: SendingDeps) =>
  async (input: CreatePixPayoutInput): Promise<CreationOutcome> => {
    const outcome = await sendOnce(deps, input, {
      check: () => checkPayout('pix', input),
      send: (payout, call, notificationUrl) =>
        deps.service.createPixPayout(payoutRequest(payout, input.attempt, notificationUrl), call),
    });
    return withoutAnswer(outcome);
  };
