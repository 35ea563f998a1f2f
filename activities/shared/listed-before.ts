import { beforeSending, scanBackMs } from '../../src/domain/call-limits.js';
import { attemptNumberOf } from '../../src/domain/ids.js';
import type { ReadingDeps } from './deps.js';
import { endOfScan, scanPayouts } from './scan-payouts.js';

/**
 * Why a complete scan has to come before the first send of a payout whose workflow id may have been used before: the
 * service lists a payout under its code already, or the list could not be scanned in time. Undefined when it does not.
 */
export async function whyListedBefore(deps: ReadingDeps, partnerCode: string): Promise<string | undefined> {
  const begunMs = performance.now();
  const isPast = endOfScan(deps.now() - scanBackMs(false));
  try {
    for await (const page of scanPayouts(deps)) {
      if (
        page.payouts.some(({ partnerCode: code }) => attemptNumberOf(partnerCode, code ?? '') !== undefined)
      ) {
        return 'The service lists a payout under this partner_code that this payment has not sent.';
      }
      if (isPast(page)) return undefined;
      if (performance.now() - begunMs > beforeSending.scanMs) break;
    }
    return performance.now() - begunMs > beforeSending.scanMs ? unclear : undefined;
  } catch {
    return unclear;
  }
}

const unclear =
  "The service's list could not be read completely, and this workflow id may have been used before.";
