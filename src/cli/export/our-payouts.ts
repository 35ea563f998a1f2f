import type { Client } from '@temporalio/client';
import type { PaymentListing } from '../../client.js';
import { ownPayments } from '../../client/own-payments.js';

/** Our payouts, as search shows them. */
export type OurPayouts = {
  /** Those that were started in a time, page after page, the latest first. */
  payoutsStarted: (fromMs: number, beforeMs: number) => AsyncIterable<readonly PaymentListing[]>;
  /** Those of some partner_codes or identifiers; a payout may have several runs. */
  payoutsOf: (
    partnerCodes: readonly string[],
    serviceIds: readonly string[],
  ) => Promise<readonly PaymentListing[]>;
  /** When a payout was started at first, for its run may be younger. Undefined when that can't be read. */
  firstStartedMs: (partnerCode: string) => Promise<number | undefined>;
};

/** Search takes few questions a second, and answers the next when it can. */
const searchMs = 120_000;

export function ourPayouts(client: Client, taskQueue: string): OurPayouts {
  const { payoutsStarted, payoutsOf, payoutState } = ownPayments(client, taskQueue, searchMs);
  return {
    payoutsStarted,
    payoutsOf,
    firstStartedMs: async (partnerCode) => {
      const first = (await payoutState(partnerCode))?.timeline[0];
      return first === undefined ? undefined : Date.parse(first.at);
    },
  };
}

/** By their partner_codes, each by the run that stands for it now. */
export function latestRuns(listed: readonly PaymentListing[]): Map<string, PaymentListing> {
  const latest = new Map<string, PaymentListing>();
  for (const own of listed) {
    // One that went on in a new run has ended in no way of its own.
    if (own.partner_code === null || (own.closed && own.closed_as === null)) continue;
    const other = latest.get(own.partner_code);
    if (other === undefined || other.started_at < own.started_at) latest.set(own.partner_code, own);
  }
  return latest;
}
