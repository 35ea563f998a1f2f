import { activityInfo, ApplicationFailure, Context, heartbeat } from '@temporalio/activity';
import type { PayoutReading, PayoutScan } from '../src/contract/outcomes.js';
import { lostTimeMs } from '../src/domain/call-limits.js';
import { attemptNumberOf } from '../src/domain/ids.js';
import type { PayoutRecord } from '../src/payments-service/result.js';
import type { ReadingDeps, SendingDeps } from './shared/deps.js';
import { payoutReading } from './shared/readings.js';
import { SharedScan } from './shared/shared-scan.js';
import { endOfScan, scanPayouts, type PayoutPage } from './shared/scan-payouts.js';
import { identifierKey } from '../src/domain/service-ids.js';

/**
 * `attempts_of` is the partner_code of a payout whose attempts are all looked for. `not_before` (ISO 8601): the scan may
 * end where all records are older; with SCAN_BEFORE_SEND=always it goes back for days in any case, for a restored
 * Temporal does not know that a payment was started before. Not so with `is_further`, which shows what came since a
 * complete scan that was made just now. `for_command`: an operator waits for it, so it waits for no scan that nobody waits for.
 */
export type FindPayoutsInput = {
  partner_codes: string[];
  attempts_of?: string;
  service_ids?: string[];
  not_before: string;
  for_command?: boolean;
  is_further?: boolean;
};

/**
 * Looks for payouts by their partner_code or identifier: a complete scan of `GET /v1/payouts`, the newest first. It may
 * end early only where the records were seen to descend in time. Scans of a process that wait at the same time share one
 * pass.
 *
 * Safe to retry: it changes nothing.
 *
 * @throws ApplicationFailure when any page could not be read, so that an answer always speaks of a complete scan
 */
export function findPayouts(deps: ReadingDeps & Pick<SendingDeps, 'scanBeforeSend'>) {
  // A shared pass belongs to no single activity: each one heartbeats for itself.
  const noHeartbeat = (): void => undefined;
  const shared = () => new SharedScan<PayoutPage>(() => scanPayouts(deps, { afterPage: noHeartbeat }));
  // A scan of what has come since is short, and waits for none that goes far back.
  const [further, forCommands, others] = [shared(), shared(), shared()];
  return async (input: FindPayoutsInput): Promise<PayoutScan> => {
    const startedMs = Date.parse(input.not_before);
    if (Number.isNaN(startedMs)) {
      const message = 'not_before must be an ISO 8601 time';
      throw ApplicationFailure.create({ type: 'InvalidInput', message, nonRetryable: true });
    }
    const notBeforeMs =
      deps.scanBeforeSend === 'always' && input.is_further !== true
        ? Math.min(startedMs, deps.now() - lostTimeMs)
        : startedMs;
    const wanted = wantedBy(input);
    const isPast = endOfScan(notBeforeMs);
    const context = Context.current();
    const found = new Map<string, PayoutReading>();
    let pages = 0;
    let records = 0;
    const scans = input.is_further === true ? further : input.for_command === true ? forCommands : others;
    const scanned = scans.scan((page) => {
      const { payouts } = page;
      context.heartbeat();
      pages += 1;
      records += payouts.length;
      for (const record of payouts) {
        const reading = wanted(record);
        // Pages shift while new payouts come in, so a record may be seen twice.
        if (reading !== undefined) found.set(record.id ?? `${String(pages)}/${String(found.size)}`, reading);
      }
      return context.cancellationSignal.aborted || isPast(page);
    });
    const stopKeepingAlive = keepAlive();
    try {
      await Promise.race([scanned, context.cancelled]);
    } finally {
      stopKeepingAlive();
    }
    return { found: [...found.values()], pages, records };
  };
}

/** Reads those records that have one of these codes or identifiers. */
function wantedBy({ attempts_of, partner_codes, service_ids }: FindPayoutsInput) {
  const codes = new Set(partner_codes);
  const ids = new Set(service_ids?.map(identifierKey));
  return (record: PayoutRecord): PayoutReading | undefined => {
    const code = record.partnerCode ?? '';
    const isAttempt = attempts_of !== undefined && attemptNumberOf(attempts_of, code) !== undefined;
    if (isAttempt || codes.has(code)) return payoutReading(record, code);
    return ids.has(identifierKey(record.id ?? '')) ? payoutReading(record) : undefined;
  };
}

/** Heartbeats, since an activity learns of its cancellation by heartbeats only. Returns the function that stops it. */
function keepAlive(): () => void {
  const { heartbeatTimeoutMs = 0 } = activityInfo();
  if (heartbeatTimeoutMs <= 0) return () => undefined;
  const timer = setInterval(() => {
    heartbeat();
  }, heartbeatTimeoutMs / 3);
  return () => {
    clearInterval(timer);
  };
}
