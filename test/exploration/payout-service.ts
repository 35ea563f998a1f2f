import { whyScanFirst, type CreatePayoutInput } from '../../activities/shared/send-payout.js';
import type { PayoutReading } from '../../src/contract/outcomes.js';
import { attemptPartnerCode } from '../../src/domain/ids.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import type { PayoutPayment } from '../../workflows/payout/payment.js';
import type { Read } from '../../src/domain/called.js';
import type { Scan, ScanTarget } from '../../workflows/shared/context.js';
import { Violation } from '../simulation/violation.js';
import { failedBy, inResetRun } from './failed-calls.js';
import type { Step } from './world.js';

export const payoutStatuses = ['processing', 'done', 'error'] as const;
type PayoutStatus = (typeof payoutStatuses)[number];

/** A payout at the service. */
export type HeldPayout = {
  readonly code: string;
  readonly id: string;
  readonly status: PayoutStatus;
  /** What reads by its identifier may still show; null once one has shown the present status. */
  readonly late: PayoutStatus | null;
  /** What the list shows; null when it holds none. */
  readonly listed: PayoutStatus | null;
  readonly changes: number;
  /** The service has lost it: no read and no list shows it any more. */
  readonly isLost: boolean;
  /** What was shown of it last. */
  readonly shown: PayoutStatus | null;
  /** What a scan showed last, since a read has. */
  readonly scanned: PayoutStatus | null;
  /** What was shown of it last, also to a command that was refused, and whatever was not found since. */
  readonly told: PayoutStatus | null;
};

/** What the service has of one payout, and what was told of it. */
export type PayoutService = {
  readonly watchDays: number;
  held: HeldPayout[];
  /** What reads and scans have shown in this step, and which identifiers were asked for. */
  readings: { code: string; id: string; status: PayoutStatus; isRead: boolean }[];
  asked: string[];
  /** The codes of requests that may have been taken, and that nobody has denied. */
  open: string[];
  /** The codes of requests that were answered 429, since which no scan was complete. */
  answered: string[];
  /** An abandonment was answered, and not taken back since. */
  isGivenUp: boolean;
  /** Nothing was reset since an operator has last had it sent. */
  maySend: boolean;
  /** Since the last reset a scan was complete, or an operator has decided. */
  isScanned: boolean;
  /** The last reset went back to a payout that had failed. */
  hadFailed: boolean;
};

export type PayoutStep = Step<PayoutPayment, PayoutService>;

export const partnerCode = 'explored';
export const value = 150.25;

export function isMoving(status: PayoutStatus | null): boolean {
  return status === 'processing' || status === 'done';
}

export function readPayout(step: PayoutStep, id: string): Read<PayoutReading> {
  const { choices, service } = step;
  service.asked.push(id);
  const index = service.held.findIndex((each) => each.id === id);
  const held = service.held[index];
  if (held === undefined || held.isLost) return { kind: 'not_found' };
  const { late, status } = held;
  const way = choices.pick(late === null ? ['read', 'not found'] : ['read', 'an old read', 'not found']);
  if (way === 'not found') {
    service.held[index] = { ...held, shown: held.scanned };
    return { kind: 'not_found' };
  }
  const shown = way === 'an old read' && late !== null ? late : status;
  service.held[index] = {
    ...held,
    late: way === 'an old read' ? late : null,
    shown,
    scanned: null,
    told: shown,
  };
  return { kind: 'read', reading: reading(step, held, shown, true) };
}

export function scanPayouts(
  step: PayoutStep,
  { attempts_of: attemptsOf, partner_codes: codes = [], service_ids: ids = [] }: ScanTarget,
): Scan {
  const { choices, service } = step;
  if (choices.pick(['scanned', 'not scanned']) === 'not scanned') return undefined;
  service.isScanned ||= attemptsOf !== undefined;
  if (attemptsOf !== undefined) service.answered = [];
  return service.held.flatMap((held, index) => {
    const { code, id, listed } = held;
    const isWanted = attemptsOf !== undefined || codes.includes(code) || ids.includes(id);
    if (listed === null || !isWanted) return [];
    // The list may lag behind a read that was made just now.
    const mayLag = service.readings.some((each) => each.id === id && each.isRead);
    const shown = mayLag && held.shown !== 'error' ? held.shown : listed;
    service.held[index] = { ...held, shown, scanned: listed, told: shown };
    return [reading(step, held, listed, false)];
  });
}

function reading(
  { service }: PayoutStep,
  { code, id }: HeldPayout,
  status: PayoutStatus,
  isRead: boolean,
): PayoutReading {
  service.readings.push({ code, id, status, isRead });
  return {
    ...{ service_id: id, status, partner_code: code, claimed_at: null },
    value_centavos: Math.round(value * 100),
  };
}

const outcomes = [
  ...(['answered', 'answered, and read'] as const),
  ...(['answered, and read as done', 'answered, and read as error'] as const),
  ...(['refused, without effect', 'refused, and taken', 'unknown, without effect'] as const),
  ...(['unknown, and taken', 'answered without an identifier', 'not sent'] as const),
  ...(['throttled, without effect', 'throttled, and taken'] as const),
] as const;

/** `POST /v1/payout/pix`, by one of the ways that it can go. */
export function createPayout(step: PayoutStep, call: CreatePayoutInput): CreationOutcome {
  const { choices, clock, seesReset, service } = step;
  const code = attemptPartnerCode(partnerCode, call.attempt);
  if (seesReset) return inResetRun;
  const scanFirst = whyScanFirst(call, clock.now, false);
  if (scanFirst !== undefined) return { outcome: 'scan_first', reason: scanFirst };
  const outcome = choices.pick(outcomes);
  if (outcome === 'not sent') return failedBy(outcome);
  maySend(step, code);
  const id = String(service.held.length + 1);
  if (!outcome.endsWith('without effect')) {
    const seen = { late: null, listed: null, isLost: false, shown: null, scanned: null, told: null };
    service.held.push({ ...seen, code, id, status: 'processing', changes: 0 });
  }
  const isThrottled = outcome.startsWith('throttled');
  const isOpen = !outcome.startsWith('refused') && !isThrottled;
  service.open = [...service.open.filter((each) => each !== code), ...(isOpen ? [code] : [])];
  if (isThrottled) service.answered = [code];
  switch (outcome) {
    case 'answered':
      return { outcome: 'answered', service_id: id, status: 'processing' };
    case 'answered, and read':
      return lingered(step, id, 'processing');
    case 'answered, and read as done':
      return lingered(step, id, 'done');
    case 'answered, and read as error':
      return lingered(step, id, 'error');
    case 'answered without an identifier':
      return { outcome: 'answered', service_id: null, status: 'processing' };
    default:
      return failedBy(outcome);
  }
}

/** The service has answered, and moved it within the moment that its call lingers for. */
function lingered(step: PayoutStep, id: string, status: PayoutStatus): CreationOutcome {
  const { service } = step;
  const index = service.held.findIndex((each) => each.id === id);
  const made = service.held[index];
  if (made === undefined) throw new Error('Nothing was made.');
  const changes = made.changes + (status === made.status ? 0 : 1);
  const held: HeldPayout = { ...made, status, changes, shown: status, told: status };
  service.held[index] = held;
  return {
    ...{ outcome: 'answered', service_id: id, status: 'processing' },
    read: { shown: reading(step, held, status, true), read_at: new Date(step.clock.now).toISOString() },
  };
}

/** Nothing is sent while anything that could be known speaks against it. */
function maySend({ payment, service }: PayoutStep, code: string): void {
  if (service.isGivenUp) throw new Violation('what was given up is not sent', code);
  if (!service.maySend)
    throw new Violation('after a reset an operator decides before anything is sent', code);
  for (const each of service.held) {
    const seen = service.readings.filter(({ code: read }) => read === each.code);
    const isMoved = seen.some(({ status }) => isMoving(status));
    // What a run before a reset has sent, and the list does not show, nobody can know.
    const isKnown = payment.attempts.some(({ serviceId }) => serviceId === each.id);
    const couldBeSeen = isKnown || each.listed !== null;
    const isUnseen = couldBeSeen && seen.length === 0 && each.status !== 'error';
    if (!isMoved && !isUnseen && !(couldBeSeen && each.code === code)) continue;
    const why = isMoved ? 'was seen moving' : isUnseen ? 'was not looked at' : 'is the same';
    throw new Violation('a payout is not paid twice', `${code} is sent, though ${each.code} ${why}`);
  }
}
