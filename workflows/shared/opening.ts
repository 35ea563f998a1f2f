import { workflowInfo } from '@temporalio/workflow';
import type { PaymentKind } from '../../src/domain/kinds.js';
import { toCentavos } from '../../src/domain/money.js';
import { startProblem } from '../../src/domain/start-check.js';

/** What a lifecycle needs of an input before any activity has checked it; the input may come from anybody. */
export type Opening = {
  partnerCode: string;
  valueCentavos: number;
  /** Multiplies every waiting time. */
  scale: number;
  watchDays: number;
  /** Why this workflow must not begin; undefined when it may. */
  problem: string | undefined;
};

/**
 * Reads what is needed from an input that nobody may have checked.
 *
 * @param named the object of the input that holds partner_code and value
 * @param options the object of the input that holds watch_days and poll_scale
 */
export function readOpening(
  kind: PaymentKind,
  named: unknown,
  options: unknown,
  defaultWatchDays: number,
): Opening {
  const { partner_code: partnerCode, value } = asRecord(named);
  const { poll_scale: scale, watch_days: watchDays } = asRecord(options);
  const info = workflowInfo();
  return {
    partnerCode: typeof partnerCode === 'string' ? partnerCode.slice(0, 64) : '',
    valueCentavos: (typeof value === 'number' ? toCentavos(value) : undefined) ?? 0,
    scale: typeof scale === 'number' && scale > 0 ? scale : 1,
    watchDays: typeof watchDays === 'number' && watchDays >= 0 ? watchDays : defaultWatchDays,
    problem: startProblem(kind, partnerCode, {
      workflowId: info.workflowId,
      attempt: info.attempt,
      hasRetryPolicy: info.retryPolicy !== undefined,
      hasCronSchedule: (info.cronSchedule ?? '') !== '',
    }),
  };
}

/** Any JSON value as an object whose fields are unknown; what is none has no fields. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
