import type { Notify } from '../../src/contract/notify.js';
import { mayHoldPan } from '../../src/domain/cards.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import { toCentavos } from '../../src/domain/money.js';
import { isOwnSignal } from '../../src/domain/notifications.js';
import { lineFault } from '../../src/domain/plain-text.js';
import { asRecord } from '../../src/domain/records.js';
import { startProblem } from '../../src/domain/start-check.js';
import type { Operator } from '../../src/domain/timeline.js';
import type { Run } from './run.js';

/** What a lifecycle needs of an input before any activity has checked it; the input may come from anybody. */
export type StartInput = {
  partnerCode: string;
  valueCentavos: number;
  /** Multiplies every waiting time. */
  scale: number;
  watchDays: number;
  /** Whom to notify of changes; undefined when nobody. */
  notify: Notify | undefined;
  /** Why this workflow must not begin; undefined when it may. */
  problem: string | undefined;
};

/**
 * Reads what is needed from an input that nobody may have checked.
 *
 * @param named the object of the input that holds partner_code and value
 * @param options the object of the input that holds watch_days, poll_scale and notify
 */
export function readStartInput(
  run: Run,
  kind: PaymentKind,
  named: unknown,
  options: unknown,
  defaultWatchDays: number,
): StartInput {
  const { partner_code: partnerCode, service_id: serviceId, value } = asRecord(named);
  const { poll_scale: scale, watch_days: watchDays, notify } = asRecord(options);
  return {
    partnerCode: typeof partnerCode === 'string' ? partnerCode.slice(0, 64) : '',
    valueCentavos: (typeof value === 'number' ? toCentavos(value) : undefined) ?? 0,
    scale: typeof scale === 'number' && scale > 0 ? scale : 1,
    watchDays: typeof watchDays === 'number' && watchDays >= 0 ? watchDays : defaultWatchDays,
    notify: notifyOf(notify),
    problem: startProblem(kind, partnerCode, { workflowId: run.workflowId, serviceId, ...run.start }),
  };
}

/** Who asked for a payment, and why, by an input that nobody may have checked. */
export function askedBy(input: unknown): Operator {
  const { by, reason } = asRecord(input);
  return { ...(isLine(by, 128) && { by }), ...(isLine(reason, 500) && { reason }) };
}

function isLine(value: unknown, longest: number): value is string {
  return (
    typeof value === 'string' &&
    value.length <= longest &&
    lineFault(value) === undefined &&
    !mayHoldPan(value)
  );
}

function notifyOf(value: unknown): Notify | undefined {
  const { webhook, workflow_id: workflowId, signal } = asRecord(value);
  if (isShort(webhook)) return { webhook };
  if (!isShort(workflowId) || !isShort(signal) || isOwnSignal(signal)) return undefined;
  return { workflow_id: workflowId, signal };
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 2_048;
}
