import type { Answers, Calls } from './answers.js';

function never(): never {
  throw new Error('This lifecycle makes no such call.');
}

/** For the calls that a lifecycle does not make. */
export const noSuchCalls: Calls = {
  ...{ createPixPayout: never, createTransferPayout: never, createCheckout: never, validateAccount: never },
  ...{ createThreeDSecureOrder: never, requestRefund: never },
  ...{ createCardOrder: never, completeThreeDSecureOrder: never },
};

/** A service that knows nothing and makes nothing. */
export const nothing: Answers = {
  calls: noSuchCalls,
  readPayout: () => ({ kind: 'not_found' }),
  readOrder: () => ({ kind: 'not_found' }),
  scan: () => undefined,
  ownerOf: () => null,
  wasReset: () => false,
};
