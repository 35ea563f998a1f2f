import type { AccountValidationInput } from '../src/contract/account-validation.js';
import type { AccountValidationState } from '../src/contract/state.js';
import { AccountValidationStory, type AccountValidationCarry } from './account-validation-story.js';
import { Lifecycle } from './shared/lifecycle.js';

/**
 * The validation of a bank account, from its submission until an answer was heard or its deadline has passed. There is
 * no read, so whatever is heard is kept as it came and marked as not verified.
 *
 * Source: §4 POST /v1/account/validate.
 */
export async function accountValidation(
  input: AccountValidationInput,
  carried?: AccountValidationCarry,
): Promise<AccountValidationState> {
  const story = new AccountValidationStory(input, carried);
  return new Lifecycle<never, AccountValidationState>(story.record, story.follower, story).run();
}
