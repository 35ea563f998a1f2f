import { z } from 'zod';
import { notify } from './notify.js';
import { bankDetails, checkPayee, payeeName } from './payout.js';
import { partnerCode, pollScale } from './fields.js';

/** The body of POST /v1/account-validations: the service's `POST /v1/account/validate` without notification_url. */
export const accountValidationBody = z
  .strictObject({
    partner_code: partnerCode('account_validation'),
    ...payeeName,
    bank_code: bankDetails.bank_code,
    account: bankDetails.account,
    notify: notify.optional(),
  })
  .superRefine(checkPayee);

/** What the workflow `accountValidation` starts from. */
export const accountValidationInput = accountValidationBody.safeExtend({ poll_scale: pollScale });

export type AccountValidationInput = z.infer<typeof accountValidationInput>;
