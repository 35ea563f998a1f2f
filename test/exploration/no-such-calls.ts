import type { Calls } from './answers.js';

function never(): never {
  throw new Error('This lifecycle makes no such call.');
}

/** For the calls that a lifecycle does not make. */
export const noSuchCalls: Calls = {
  ...{ createPixPayout: never, createTransferPayout: never, createCheckout: never, validateAccount: never },
  ...{ createThreeDSecureOrder: never, requestRefund: never },
  ...{ createCardOrder: never, completeThreeDSecureOrder: never },
};
