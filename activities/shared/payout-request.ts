import { z } from 'zod';
import type { SendOnceInput } from '../../src/contract/outcomes.js';
import {
  payoutCorrections,
  payoutInput,
  type PayoutCorrections,
  type PayoutInput,
} from '../../src/contract/payout.js';
import { freshDecisionMs } from '../../src/domain/cadence.js';
import { attemptPartnerCode } from '../../src/domain/ids.js';
import { asRecord } from '../../src/domain/records.js';
import { checked, type Checked } from './checked.js';
import type { PayoutRequest } from '../../src/payments-service/requests.js';

/** What both payout activities take. `corrections` are those of this attempt, all previous ones merged in. */
export type CreatePayoutInput = SendOnceInput & {
  payout: unknown;
  corrections: PayoutCorrections | null;
  /** The number of this attempt, from 1; it makes the partner_code that the service sees. */
  attempt: number;
  /** When it was decided to send it. */
  decided_at: string;
  /** When a complete scan of the service's list last held no record of it; null before the first. */
  scanned_at: string | null;
};

const beside = z.object({ attempt: z.int().min(1), corrections: payoutCorrections.nullable() });

/** Why nothing is sent before a complete scan; undefined when it may be sent. */
export function whyScanFirst(
  { decided_at, scanned_at }: CreatePayoutInput,
  nowMs: number,
  always: boolean,
): string | undefined {
  const scannedMs = Date.parse(scanned_at ?? '');
  if (nowMs - scannedMs <= freshDecisionMs) return undefined;
  if (always) return 'SCAN_BEFORE_SEND is always: a complete scan comes first.';
  return nowMs - Date.parse(decided_at) <= freshDecisionMs
    ? undefined
    : 'The decision to send is more than a minute old: a complete scan comes first.';
}

/** Until when a payout may be sent, by its input: milliseconds since the epoch. */
export function sendBeforeMs({ payout }: CreatePayoutInput): number {
  const { send_before: sendBefore } = asRecord(payout);
  const at = typeof sendBefore === 'string' ? Date.parse(sendBefore) : NaN;
  return Number.isNaN(at) ? Infinity : at;
}

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
    send_before: _sendBefore,
    ...rest
  } = payout;
  const { validate_account: _validateAccount, ...fields } = { validate_account: undefined, ...rest };
  return {
    ...fields,
    partner_code: attemptPartnerCode(payout.partner_code, attempt),
    notification_url: notificationUrl,
  };
}
