import { accountValidationInput } from '../src/contract/account-validation.js';
import type { SendOnceInput } from '../src/contract/outcomes.js';
import type { CreationOutcome } from '../src/domain/submission.js';
import { checked } from './shared/checked.js';
import type { SendingDeps } from './shared/deps.js';
import { sendOnce } from './shared/send-once.js';

/** `validation` is the raw input of the workflow `accountValidation`. */
export type ValidateAccountInput = SendOnceInput & { validation: unknown };

/**
 * Requests the validation of a bank account (`POST /v1/account/validate`). Its answer is undocumented and goes
 * along.
 *
 * Not safe to retry: what a validation costs or moves is undocumented, and it cannot be looked up.
 */
export const validateAccount =
  (deps: SendingDeps) =>
  (input: ValidateAccountInput): Promise<CreationOutcome> =>
    sendOnce(deps, input, {
      check: () => checked(accountValidationInput, input.validation),
      send: ({ poll_scale: _pollScale, notify: _notify, ...validation }, call, notificationUrl) =>
        deps.service.validateAccount({ ...validation, notification_url: notificationUrl }, call),
    });
