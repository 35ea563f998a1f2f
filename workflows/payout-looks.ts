import { ActivityFailure } from '@temporalio/workflow';
import type { PayoutReading } from '../src/contract/outcomes.js';
import { mayHideAtService, type Attempt } from '../src/domain/payout-attempts.js';
import type { PayoutAttempts } from './payout-attempts.js';
import { reading, scanning } from './shared/activities.js';
import type { PaymentRecord } from './shared/payment-record.js';

/** How the list of payouts and our clock may differ: a scan looks so much further back than the start. */
const scanMarginMs = 15 * 60_000;

/** Looks at the service for the attempts of one payout: each by its identifier, or in the list of payouts. */
export class PayoutLooks {
  /** @param begunAt when the payout began, in its first run */
  constructor(
    private readonly record: PaymentRecord,
    private readonly attempts: PayoutAttempts,
    private readonly begunAt: number,
  ) {}

  /**
   * Reads every attempt, and looks in the list for those of `searched` that may hide there. Answers whether what was
   * found is clear; throws when not all could be read.
   */
  async again(searched = this.attempts.all): Promise<boolean> {
    const clear = await this.readAll();
    const hidden = searched.filter(mayHideAtService);
    return hidden.length === 0 ? clear : (await this.scanFor(hidden)) && clear;
  }

  /**
   * Reads what the service shows of every attempt that has an identifier. Answers whether each reading was clear
   * and fits; throws, when all were tried, if one of them could not be read.
   */
  async readAll(): Promise<boolean> {
    let clear = true;
    let unreadable: ActivityFailure | undefined;
    for (const attempt of this.attempts.all) {
      if (attempt.serviceId === null) continue;
      try {
        const read = reading(`read attempt ${String(attempt.number)}`);
        const shown = await read.readPayout({ service_id: attempt.serviceId });
        if (!this.attempts.take(attempt, shown)) clear = false;
      } catch (error) {
        if (!(error instanceof ActivityFailure)) throw error;
        unreadable = error;
      }
    }
    if (unreadable !== undefined) throw unreadable;
    return clear;
  }

  /**
   * Walks through the service's list for attempts without an identifier. Answers whether all that was found is
   * followed from now on, or proven failed; throws when the walk is not whole.
   */
  async scanFor(searched: readonly Attempt[]): Promise<boolean> {
    const found = await this.listed({ partner_codes: searched.map(({ partnerCode }) => partnerCode) });
    let clear = true;
    for (const attempt of searched) {
      const records = found.filter(({ partner_code: code }) => code === attempt.partnerCode);
      if (records.length > 0) clear = this.#follow(attempt, records) && clear;
    }
    return clear;
  }

  /** What the service's list holds under these codes and identifiers. Throws when the walk is not whole. */
  async listed(wanted: { partner_codes: string[]; service_ids?: string[] }): Promise<PayoutReading[]> {
    const scan = scanning(`look for ${wanted.partner_codes.join(', ')} in the list of payouts`);
    const { found } = await scan.findPayouts({
      ...wanted,
      not_before: new Date(this.begunAt - scanMarginMs).toISOString(),
    });
    return found;
  }

  /** Follows what the list holds of an attempt: of several records the one that may have moved money. */
  #follow(attempt: Attempt, records: readonly PayoutReading[]): boolean {
    const first = records.find(({ status }) => status !== 'error') ?? records[0];
    const adopted = first !== undefined && this.attempts.adopt(attempt, first);
    attempt.listed = !adopted;
    const name = `attempt ${String(attempt.number)}`;
    this.record.note(`Found at the service: ${name}${adopted ? '' : ', but it can not be followed'}`);
    if (!adopted && attempt.misfit === null) {
      this.record.raise('inconsistent_answer', `The service lists ${name} without a usable identifier.`);
    }
    if (records.length > 1) {
      const what = `The service lists ${attempt.partnerCode} ${String(records.length)} times.`;
      this.record.raise('inconsistent_answer', what);
    }
    return adopted && records.every((each) => each === first || each.status === 'error');
  }
}
