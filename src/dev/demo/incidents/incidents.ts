import { anotherValue } from './another-value.js';
import { chargeback } from './chargeback.js';
import { credentialsRejected } from './credentials-rejected.js';
import { failedAtTheBank } from './failed-at-the-bank.js';
import { fiftyFailed } from './fifty-failed.js';
import { givenUpAndPaid } from './given-up-and-paid.js';
import type { Incident } from './incident.js';
import { refundUnconfirmed } from './refund-unconfirmed.js';
import { returnedUnnoticed } from './returned-unnoticed.js';
import { throttled } from './throttled.js';
import { unknownAndMade } from './unknown-and-made.js';
import { unknownAndNotMade } from './unknown-and-not-made.js';
import { wrongPixKey } from './wrong-pix-key.js';

/** The incidents to train on, in the order of their numbers from 1. */
export const incidents: readonly Incident[] = [
  wrongPixKey,
  failedAtTheBank,
  returnedUnnoticed,
  unknownAndMade,
  unknownAndNotMade,
  throttled,
  credentialsRejected,
  anotherValue,
  refundUnconfirmed,
  chargeback,
  givenUpAndPaid,
  fiftyFailed,
];
