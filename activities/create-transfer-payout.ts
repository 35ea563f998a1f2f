import type { CreationOutcome } from '../src/contract/outcomes.js';
import type { SendingDeps } from './shared/deps.js';
import { checkPayout, payoutRequest, type CreatePayoutInput } from './shared/payout-request.js';
import { sendOnce, withoutAnswer } from './shared/send-once.js';

/** `payout` is the raw input of the workflow `payout`, with the method transfer. */
export type CreateTransferPayoutInput = CreatePayoutInput;

/**
 * Pays out to a bank account (`POST /v1/payout/transfer`).
 *
 * Not safe to retry: it pays. After an unknown outcome `findPayouts` shows whether the service took it.
 */
export const createTransferPayout =
  (deps: SendingDeps) =>
  async (input: CreateTransferPayoutInput): Promise<CreationOutcome> => {
    const outcome = await sendOnce(deps, input, {
      check: () => checkPayout('transfer', input),
      send: (payout, call, notificationUrl) =>
        deps.service.createTransferPayout(payoutRequest(payout, input.attempt, notificationUrl), call),
    });
    return withoutAnswer(outcome);
  };
