import type { Ids } from './ids.js';
import type { Lives } from './lives.js';
import type { Plan } from './plan.js';
import type { Life } from './scenario.js';
import { Records, type Tracked } from './tracked.js';
import type { AccountValidationFields } from './wire.js';

export type AccountValidation = Tracked & { readonly type: 'account_validation' };

/** Account validations (`POST /v1/account/validate`): answered by postback alone, for there is no read. */
export class Validations extends Records<AccountValidation> {
  readonly #ids: Ids;
  readonly #lives: Lives;

  constructor(changed: () => void, ids: Ids, lives: Lives) {
    super(changed);
    this.#ids = ids;
    this.#lives = lives;
  }

  /** Takes in a validation of a previous run, with what is still to become of it. */
  restore(validation: AccountValidation, steps: Life['then']): void {
    this.add(validation);
    this.#lives.follow(validation, steps);
  }

  create(fields: AccountValidationFields, plan: Plan): AccountValidation {
    const createdAt = this.#lives.stamp();
    const status = plan.validation.first;
    const validation: AccountValidation = {
      type: 'account_validation',
      id: this.#ids.next(),
      partnerCode: fields.partner_code,
      notificationUrl: fields.notification_url,
      createdAt,
      plan,
      status,
      history: [{ status, at: createdAt }],
    };
    this.add(validation);
    this.#lives.follow(validation, plan.validation.then);
    return validation;
  }
}
