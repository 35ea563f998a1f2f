import type { CreationOutcome } from '../src/domain/submission.js';
import type { SendingDeps } from './shared/deps.js';
import { sendPayout, type CreatePayoutInput } from './shared/send-payout.js';

/**
 * Pays out to a bank account (`POST /v1/payout/transfer`); `payout` is the raw input of the workflow `payout`.
 *
 * Not safe to retry: it pays. After an unknown outcome `findPayouts` shows whether the service took it.
 */
export const createTransferPayout =
  (deps: SendingDeps) =>
  (input: CreatePayoutInput): Promise<CreationOutcome> =>
    sendPayout(deps, 'transfer', input, (request, call) => deps.service.createTransferPayout(request, call));
