import { z } from 'zod';
import { notify } from './notify.js';
import { bankDetails } from './payout.js';
import { partnerCode, pollScale, taxId, text } from './fields.js';

/** The body of POST /v1/account-validations: the service's `POST /v1/account/validate` without notification_url. */
export const accountValidationBody = z.strictObject({
  partner_code: partnerCode('account_validation'),
  first_name: text(64),
  last_name: text(64),
  document: taxId,
  bank_code: bankDetails.bank_code,
  account: bankDetails.account,
  notify: notify.optional(),
});

/** What the workflow `accountValidation` starts from. */
export const accountValidationInput = accountValidationBody.extend({ poll_scale: pollScale });

export type AccountValidationInput = z.infer<typeof accountValidationInput>;
