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
import type { CreationOutcome } from '../../src/domain/submission.js';
import type { CreatingCall } from '../../src/payments-service/payments-service.js';
import type { PayoutRequest } from '../../src/payments-service/requests.js';
import type { Creation, ServiceResult } from '../../src/payments-service/result.js';
import { checked, type Checked } from './checked.js';
import type { SendingDeps } from './deps.js';
import { lingered } from './linger.js';
import { whyListedBefore } from './listed-before.js';
import { sendOnce, withoutAnswer } from './send-once.js';

/** What both payout activities take. `corrections` are those of this attempt, all previous ones merged in. */
export type CreatePayoutInput = SendOnceInput & {
  payout: unknown;
  corrections: PayoutCorrections | null;
  /** The number of this attempt, from 1; it makes the partner_code that the service sees. */
  attempt: number;
  /** When it was decided to send it. */
  decided_at: string;
  /** When the last complete scan of the service's list that held no record of it began; null before the first. */
  scan_begun_at: string | null;
};

const beside = z.object({ attempt: z.int().min(1), corrections: payoutCorrections.nullable() });

/** Sends an attempt of a payout once, by the call of its method, and lingers for it where that is allowed. */
export async function sendPayout(
  deps: SendingDeps,
  method: PayoutInput['method'],
  input: CreatePayoutInput,
  send: (request: PayoutRequest, call: CreatingCall) => Promise<ServiceResult<Creation>>,
): Promise<CreationOutcome> {
  const outcome = await sendOnce(deps, input, {
    check: () => checkPayout(method, input),
    scanFirst: (nowMs) => whyNotBeforeAScan(deps, input, nowMs),
    sendBeforeMs: sendBeforeMs(input),
    send: (payout, call, notificationUrl) =>
      send(payoutRequest(payout, input.attempt, notificationUrl), call),
  });
  return lingered(deps, withoutAnswer(outcome), String(asRecord(input.payout).partner_code));
}

/**
 * Why nothing is sent before a complete scan, by the age of the decision; undefined when it may be sent. A decision that
 * is older than the worker (`startedAtMs`) is not fresh: it may be of the time before a restore was settled. With
 * `always` a scan counts only when it began after that: what came of an earlier one may be in the time that was lost.
 */
export function whyScanFirst(
  { decided_at, scan_begun_at }: CreatePayoutInput,
  nowMs: number,
  always: boolean,
  startedAtMs = -Infinity,
): string | undefined {
  const scannedMs = Date.parse(scan_begun_at ?? '');
  const isOfBefore = always && scannedMs < startedAtMs;
  if (nowMs - scannedMs <= freshDecisionMs && !isOfBefore) return undefined;
  if (always) return 'SCAN_BEFORE_SEND is always: a complete scan comes first.';
  const decidedMs = Date.parse(decided_at);
  const isFresh = nowMs - decidedMs <= freshDecisionMs;
  if (!isFresh) return 'The decision to send is more than a minute old: a complete scan comes first.';
  return decidedMs < startedAtMs
    ? 'The decision to send is older than this worker: a complete scan comes first.'
    : undefined;
}

/** As {@link whyScanFirst}; a first attempt whose id may have been used before is looked for in the list as well. */
async function whyNotBeforeAScan(
  deps: SendingDeps,
  input: CreatePayoutInput,
  nowMs: number,
): Promise<string | undefined> {
  const reason = whyScanFirst(input, nowMs, deps.scanBeforeSend === 'always', deps.startedAtMs);
  if (reason !== undefined || input.rule_out_runs_before === null) return reason;
  if (input.attempt > 1 || input.scan_begun_at !== null) return undefined;
  return whyListedBefore(deps, String(asRecord(input.payout).partner_code));
}

/** Until when a payout may be sent, by its input: milliseconds since the epoch. */
function sendBeforeMs({ payout }: CreatePayoutInput): number {
  const { send_before: sendBefore } = asRecord(payout);
  const at = typeof sendBefore === 'string' ? Date.parse(sendBefore) : NaN;
  return Number.isNaN(at) ? Infinity : at;
}

/** Checks a payout as this attempt sends it: the raw input with the corrections laid over it. */
function checkPayout(
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
function payoutRequest(payout: PayoutInput, attempt: number, notificationUrl: string): PayoutRequest {
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
