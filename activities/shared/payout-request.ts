import { z } from 'zod';
import type { SendOnceInput } from '../../src/contract/outcomes.js';
import {
  payoutCorrections,
  payoutInput,
  type PayoutCorrections,
  type PayoutInput,
} from '../../src/contract/payout.js';
import { attemptPartnerCode } from '../../src/domain/ids.js';
import { checked, type Checked } from './checked.js';
import type { PayoutRequest } from '../../src/payments-service/requests.js';

/** What both payout activities take. `corrections` are those of this attempt, all previous ones merged in. */
export type CreatePayoutInput = SendOnceInput & {
  payout: unknown;
  corrections: PayoutCorrections | null;
  /** The number of this attempt, from 1; it makes the partner_code that the service sees. */
  attempt: number;
};

const beside = z.object({ attempt: z.int().min(1), corrections: payoutCorrections.nullable() });

/** Checks a payout as this attempt sends it: the raw input with the corrections laid over it. */
export function checkPayout(
  method: PayoutInput['method'],
  { payout, corrections, attempt }: CreatePayoutInput,
): Checked<PayoutInput> {
  const besides = checked(beside, { attempt, corrections });
  const corrected =
    typeof payout === 'object' && payout !== null && 'parsed' in besides
      ? { ...payout, ...besides.parsed.corrections }
      : payout;
  const schema = payoutInput.refine((parsed) => parsed.method === method, {
    path: ['method'],
    message: `must be ${method}`,
  });
  return checked(schema, corrected, besides);
}

/** The wire body of an attempt. A checked value is its own exact decimal: JSON writes the shortest form. */
export function payoutRequest(payout: PayoutInput, attempt: number, notificationUrl: string): PayoutRequest {
  const {
    method: _method,
    notify: _notify,
    watch_days: _watchDays,
    poll_scale: _pollScale,
    reconciled: _reconciled,
    ...rest
  } = payout;
  const { validate_account: _validateAccount, ...fields } = { validate_account: undefined, ...rest };
  return {
    ...fields,
    partner_code: attemptPartnerCode(payout.partner_code, attempt),
    notification_url: notificationUrl,
  };
}
