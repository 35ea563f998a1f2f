import type { PaymentListing } from '../../client.js';
import type { ListedPayout } from '../../contract/payout-list.js';
import { payoutOfAttempt, tooYoungMs } from '../../domain/reconciling.js';
import { latestInstantMs, utcInstantMs } from '../../payments-service/instants.js';
import { foreignLine, linesOf, unlistedLine } from './exported-payout.js';
import type { ExportedPayout } from './exported-payout.js';
import { IncompleteListError } from './incomplete-list-error.js';
import { latestRuns } from './our-payouts.js';
import type { OurPayouts } from './our-payouts.js';
import { includes } from './period.js';
import type { Period } from './period.js';
import { RecentRecords } from './recent-records.js';
import { WaitingRecords } from './waiting-records.js';
import type { TimedRecord } from './waiting-records.js';
import { identifierKey } from '../../domain/service-ids.js';

/** By how much the clocks of the service and of Temporal may differ, and the shortest window. */
const windowMs = 10 * 60_000;
const lookUpAtOnce = 100;

/**
 * Joins the service's list, from its newest record back, with our payouts, in windows of time. A record comes after
 * the start of its payout. So once the list has come to records older than a window, all records of the payouts
 * started in it are here, and these are joined. What is held is the records of a window and a part of the list, and
 * those of payouts that were started long before they were sent.
 */
export class PayoutJoin {
  readonly #recent = new RecentRecords();
  readonly #waiting = new WaitingRecords();
  /** Payouts that went on in a new run: they wait for the window of their first start. */
  readonly #restarted = new Map<string, { own: PaymentListing; startedMs: number }>();
  /** What was started from here on is joined. */
  #joinedMs: number;
  /** When the last record with a time was claimed. */
  #atMs: number;

  constructor(
    private readonly ours: OurPayouts,
    private readonly period: Period,
    private readonly nowMs: number,
  ) {
    this.#joinedMs = nowMs + windowMs;
    this.#atMs = nowMs;
  }

  /** How many records, their identifiers and payouts are in memory. */
  get held(): number {
    return this.#recent.size + this.#waiting.size + this.#restarted.size;
  }

  /**
   * Takes the next part of the list; what is joined by it comes out.
   *
   * @throws IncompleteListError when the part shows no time
   */
  async *take(part: readonly ListedPayout[]): AsyncGenerator<ExportedPayout[]> {
    if (part.length === 0) return;
    const times = part.map(({ claimed_at }) => latestInstantMs(claimed_at)).filter((ms) => ms !== undefined);
    if (times.length === 0) {
      throw new IncompleteListError('of a part of it no record shows a claimed_at that can be read.');
    }
    const nameless: TimedRecord[] = [];
    for (const record of part) {
      this.#atMs = utcInstantMs(record.claimed_at) ?? this.#atMs;
      if (!this.#recent.isNew(record)) continue;
      const timed = { record, atMs: this.#atMs };
      const code = record.partner_code === null ? undefined : payoutOfAttempt(record.partner_code);
      if (code === undefined) nameless.push(timed);
      else this.#waiting.add(code, timed);
    }
    yield* this.#byIdentifier(nameless);
    const listedFromMs = Math.max(...times) + windowMs;
    if (listedFromMs <= this.#joinedMs - windowMs) yield* this.#join(listedFromMs);
  }

  /** The list has come to its end, or to what is older than the period. */
  async *finish(): AsyncGenerator<ExportedPayout[]> {
    if (this.#joinedMs > this.period.fromMs) yield* this.#join(this.period.fromMs);
    for (const [code, { own }] of this.#restarted) yield this.#lines(own, this.#waiting.take(code));
    this.#joinedMs = -Infinity;
    yield* this.#lookUp(this.#waiting.codes());
  }

  /** Joins the windows from that time on. */
  async *#join(fromMs: number): AsyncGenerator<ExportedPayout[]> {
    const beforeMs = this.#joinedMs;
    this.#joinedMs = fromMs;
    for await (const page of this.ours.payoutsStarted(fromMs, beforeMs)) {
      const lines: ExportedPayout[] = [];
      for (const own of page) lines.push(...(await this.#joined(own)));
      yield lines;
    }
    for (const [code, { own, startedMs }] of this.#restarted) {
      if (startedMs < fromMs) continue;
      this.#restarted.delete(code);
      yield this.#linesOrUnlisted(own, startedMs);
    }
    // A record that its payout's window did not take: the payout is older, or is none of ours.
    yield* this.#lookUp(this.#waiting.unasked(fromMs + windowMs));
  }

  async #joined(own: PaymentListing): Promise<ExportedPayout[]> {
    const { partner_code: code, service_id: id } = own;
    // A previous run, or one that waits for the window of its first start.
    if (code === null || this.#restarted.has(code)) return [];
    if (this.#waiting.has(code)) return this.#lines(own, this.#waiting.take(code));
    const startedMs = Date.parse(own.started_at);
    if (id === null || startedMs > this.nowMs - tooYoungMs) return [];
    const latest = latestRuns(await this.ours.payoutsOf([code], [])).get(code);
    if (latest !== undefined && latest.started_at !== own.started_at) return [];
    const firstMs = (await this.ours.firstStartedMs(code)) ?? startedMs;
    if (firstMs >= this.#joinedMs) return this.#linesOrUnlisted(own, firstMs);
    this.#restarted.set(code, { own, startedMs: firstMs });
    return [];
  }

  async *#lookUp(codes: readonly string[]): AsyncGenerator<ExportedPayout[]> {
    const asked = codes.filter((code) => !this.#restarted.has(code));
    for (let at = 0; at < asked.length; at += lookUpAtOnce) {
      const some = asked.slice(at, at + lookUpAtOnce);
      const found = latestRuns(await this.ours.payoutsOf(some, []));
      yield some.flatMap((code) => {
        const own = found.get(code);
        if (own === undefined) return this.#foreign(this.#waiting.take(code));
        // One that is older is joined when the list has come to its start.
        const isPast = Date.parse(own.started_at) >= this.#joinedMs;
        return isPast ? this.#lines(own, this.#waiting.take(code)) : [];
      });
    }
  }

  /** Of records whose code can't be one of ours, the identifier alone shows whose they are. */
  async *#byIdentifier(records: readonly TimedRecord[]): AsyncGenerator<ExportedPayout[]> {
    for (let at = 0; at < records.length; at += lookUpAtOnce) {
      const some = records.slice(at, at + lookUpAtOnce);
      const ids = some.map(({ record }) => record.id).filter((id) => id !== null);
      const found = await this.ours.payoutsOf([], ids);
      const codes = new Map(
        found.map(({ service_id, partner_code }) => [identifierKey(service_id ?? ''), partner_code]),
      );
      const foreign = some.filter((timed) => {
        const code = timed.record.id === null ? null : codes.get(identifierKey(timed.record.id));
        if (code != null) this.#waiting.add(code, timed);
        return code == null;
      });
      yield this.#foreign(foreign);
    }
  }

  #linesOrUnlisted(own: PaymentListing, startedMs: number): ExportedPayout[] {
    const records = this.#waiting.take(own.partner_code ?? '');
    if (records.length > 0) return this.#lines(own, records);
    return includes(this.period, startedMs) ? [unlistedLine(own)] : [];
  }

  #lines(own: PaymentListing, records: readonly TimedRecord[]): ExportedPayout[] {
    const lines = linesOf(
      own,
      records.map(({ record }) => record),
    );
    return lines.filter((_, at) => includes(this.period, records[at]?.atMs ?? NaN));
  }

  #foreign(records: readonly TimedRecord[]): ExportedPayout[] {
    return records
      .filter(({ atMs }) => includes(this.period, atMs))
      .map(({ record, atMs }) => {
        // Search may not show yet what was started a moment ago.
        return foreignLine(record, atMs < this.nowMs - tooYoungMs ? 'not_ours' : null);
      });
  }
}
