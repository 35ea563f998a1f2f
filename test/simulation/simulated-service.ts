import { whyScanFirst, type CreatePayoutInput } from '../../activities/shared/send-payout.js';
import type { OrderReading, PayoutReading, SendOnceInput } from '../../src/contract/outcomes.js';
import type { Order } from '../../src/dev/sandbox/orders.js';
import type { Payout } from '../../src/dev/sandbox/payouts.js';
import { planOf } from '../../src/dev/sandbox/plan.js';
import { Service } from '../../src/dev/sandbox/service.js';
import type { Tracked } from '../../src/dev/sandbox/tracked.js';
import { creatingActivity } from '../../src/domain/call-limits.js';
import { attemptNumberOf } from '../../src/domain/ids.js';
import { lingering } from '../../src/domain/lingering.js';
import type { PayoutShown } from '../../src/domain/misfit.js';
import type { Read } from '../../src/domain/called.js';
import type { Scan, ScanTarget } from '../../workflows/shared/context.js';
import { Outages } from './outages.js';
import { delaysMs, type CallFault, type Plan } from './plan.js';
import { orderReading, payoutReading, valueCentavos } from './readings.js';
import { send, type CallResult, type Sent } from './simulated-call.js';
import type { VirtualClock } from './virtual-clock.js';

/** What a creating call is for: which record it makes at the service, or which it changes. */
export type Request = {
  code: string;
  /** Of a payout: what its activity checks right before it sends. */
  payout?: CreatePayoutInput;
  effect: (service: SimulatedService) => Tracked | undefined;
};

const fields = {
  kind: 'personal',
  first_name: 'Ana',
  last_name: 'Silva',
  document: '52998224725',
  value: valueCentavos / 100,
  fee_payer: 'merchant',
  notification_url: 'http://127.0.0.1/',
};

/** A status of a payout that a read or the list has shown. */
export type Shown = { readonly by: 'list' | 'read'; readonly status: string | null };

/** The sandbox in process on the virtual clock, behind a network that does what a plan says. Its ledger shows what really happened. */
export class SimulatedService {
  readonly sandbox: Service;
  readonly sent: Sent[] = [];
  /** Of another payment, under another code. */
  readonly foreign: Payout;
  readonly foreignOrder: Order;
  /** The order whose refund is simulated. */
  readonly refundable: Order;
  /** When a request last left, or a record last changed. */
  changedAt = 0;
  /** What was shown last of each payout, by its identifier. */
  readonly shown = new Map<string, Shown>();
  readonly outages: Outages;
  #calls = 0;
  readonly #called = new Set<string>();
  #records = 0;

  constructor(
    readonly clock: VirtualClock,
    readonly plan: Plan,
    readonly random: () => number,
    startsAt: number,
  ) {
    this.sandbox = new Service({
      clientId: 'simulation',
      clientSecret: 'simulation',
      tokenMinutes: 30,
      timeScale: 1,
      progress: 'manual',
      now: () => clock.now,
    });
    this.sandbox.postbacks.mode = 'off';
    this.foreign = this.createPayout('another');
    this.foreignOrder = this.createOrder('card', 'another');
    this.refundable = this.createOrder('card', 'refundable');
    this.set(this.refundable, 'paid');
    this.outages = new Outages(plan.outages, clock, startsAt);
  }

  createPayout(code: string): Payout {
    const created = this.sandbox.payouts.create('pix', { ...fields, partner_code: code }, planOf([], code));
    const { listing } = this.plan;
    created.listed = listing === 'at_once' || code === 'another';
    if (listing === 'late') this.clock.after(20 * 60_000, () => (created.listed = true));
    return created;
  }

  createOrder(kind: Order['kind'], code: string): Order {
    const order = {
      ...fields,
      partner_code: code,
      description: 'simulated',
      payment_method: 'credit_card' as const,
    };
    return this.sandbox.orders.create(kind, order, planOf([], code));
  }

  createValidation(code: string): Tracked {
    const { first_name, last_name, document, notification_url } = fields;
    const validation = { first_name, last_name, document, notification_url, partner_code: code };
    return this.sandbox.validations.create(
      { ...validation, bank_code: '001', account: '1' },
      planOf([], code),
    );
  }

  set(record: Tracked, status: string): void {
    this.sandbox.lives.set(record, status);
    this.changedAt = this.clock.now;
  }

  /** The record goes through the next life of the plan. */
  live(record: Tracked, usual: Plan['lives'][number]): void {
    let at = this.clock.now;
    for (const { after, status } of this.plan.lives[this.#records] ?? usual) {
      at += delaysMs[after] ?? 0;
      this.clock.at(at, () => {
        this.set(record, status);
      });
    }
    this.#records += 1;
  }

  /** Makes a creating call as an activity of ours does, and as the plan disturbs it. */
  create(
    request: Request,
    input: SendOnceInput,
    isResetRun: boolean,
    done: (result: CallResult) => void,
  ): void {
    const scheduledAt = this.clock.now;
    const planned = this.plan.calls[this.#calls] ?? 'none';
    const fault = faultOf(planned, request);
    this.#calls += 1;
    const isAgain = this.#called.has(request.code);
    this.#called.add(request.code);
    const dispatchMs = fault === 'too_late' ? 36_000 + this.random() * 30_000 : 5 + this.random() * 200;
    if (fault === 'never_started') {
      this.clock.after(creatingActivity.scheduleToStartMs, () => {
        done({ outcome: 'never_started' });
      });
      return;
    }
    if (fault === 'worker_died_unmarked') {
      this.clock.after(creatingActivity.startToCloseMs, () => {
        done({ outcome: 'lost' });
      });
      return;
    }
    this.clock.after(dispatchMs, () => {
      const refusal = this.#whyNotSent(request, fault, isResetRun, scheduledAt);
      if (refusal !== undefined) return done(refusal);
      const { code } = request;
      const answer = fault === 'lingered' ? this.#lingering(done) : done;
      send(this, { code, isAgain, scheduledAt, make: () => request.effect(this) }, fault, input, answer);
    });
  }

  /** Answers later, with what a read shows then. */
  #lingering(done: (result: CallResult) => void): (result: CallResult) => void {
    return (result) => {
      if (result.outcome !== 'answered' || result.service_id === null) return done(result);
      const { service_id: id } = result;
      this.clock.after(lingering.endsMs, () => {
        const read = this.readPayout(id);
        const read_at = new Date(this.clock.now).toISOString();
        done(read.kind === 'read' ? { ...result, read: { shown: read.reading, read_at } } : result);
      });
    };
  }

  readPayout(id: string): Read<PayoutReading> {
    if (this.#isUnreadable('reads')) return unreadable;
    const payout = this.sandbox.payouts.byId(id);
    return payout === undefined
      ? { kind: 'not_found' }
      : { kind: 'read', reading: payoutReading(this.#shown('reads', payout), this.plan.shape) };
  }

  readOrder(id: string): Read<OrderReading> {
    if (this.#isUnreadable('reads')) return unreadable;
    const order = this.sandbox.orders.byId(id);
    return order === undefined
      ? { kind: 'not_found' }
      : { kind: 'read', reading: orderReading(this.#shown('reads', order), this.plan.shape) };
  }

  scan({ attempts_of: attemptsOf, partner_codes: codes = [], service_ids: ids = [] }: ScanTarget): Scan {
    if (this.#isUnreadable('list')) return undefined;
    return this.sandbox.payouts
      .all()
      .filter(({ listed }) => listed)
      .filter(
        ({ id, partnerCode }) =>
          (attemptsOf !== undefined && attemptNumberOf(attemptsOf, partnerCode) !== undefined) ||
          codes.includes(partnerCode) ||
          ids.includes(this.listIdOf(id)),
      )
      .map((payout) => ({
        ...payoutReading(this.#shown('list', payout), this.plan.shape),
        service_id: this.listIdOf(payout.id),
        partner_code: payout.partnerCode,
      }));
  }

  /** A run has seen these readings. */
  showed(by: Shown['by'], readings: readonly PayoutShown[]): void {
    const ids = new Map(
      this.sandbox.payouts.all().map(({ id }) => [by === 'list' ? this.listIdOf(id) : id, id]),
    );
    for (const { service_id: shown, status } of readings) {
      const id = ids.get(shown ?? '');
      if (id !== undefined) this.shown.set(id, { by, status });
    }
  }

  /** A record as the list, or a read, shows it now: its status may be an old one. */
  #shown<Shown extends Tracked>(of: 'list' | 'reads', record: Shown): Shown {
    const { lags } = this.plan;
    if (lags?.of !== of) return record;
    const seenAt = this.clock.now - (delaysMs[lags.by] ?? 0);
    const seen = record.history.findLast(({ at }) => Date.parse(at) <= seenAt) ?? record.history[0];
    return { ...record, status: seen?.status ?? record.status };
  }

  listIdOf(id: string): string {
    return this.plan.shape.otherListId ? `9${id}` : id;
  }

  #whyNotSent(
    { payout }: Request,
    fault: CallFault,
    isResetRun: boolean,
    scheduledAt: number,
  ): CallResult | undefined {
    const { now } = this.clock;
    if (isResetRun) return { outcome: 'unknown', reason: 'This run is a reset.', dispatched_before: true };
    const scanFirst = payout === undefined ? undefined : whyScanFirst(payout, now, this.plan.scanAlways);
    if (scanFirst !== undefined) return { outcome: 'scan_first', reason: scanFirst };
    if (now > scheduledAt + creatingActivity.lastMomentToSendMs)
      return { outcome: 'not_sent', reason: 'Too late.' };
    if (fault === 'not_sent' || this.outages.until('sends') !== undefined) {
      return { outcome: 'not_sent', reason: 'The connection was refused.' };
    }
    return undefined;
  }

  #isUnreadable(of: 'reads' | 'list'): boolean {
    const { flakyOneIn } = this.plan;
    return this.outages.until(of) !== undefined || (flakyOneIn > 0 && this.random() < 1 / flakyOneIn);
  }
}

const unreadable = { kind: 'unreadable', reason: '503' } as const;

/** The fault of a call of this kind: only the creating call of a payout reads until final. */
function faultOf(planned: CallFault, { payout }: Request): CallFault {
  switch (planned) {
    case 'lingered':
      return payout === undefined ? 'none' : planned;
    // Only payouts are on a list that shows whether it was so.
    case 'unauthorized_after':
      return payout === undefined ? 'unauthorized' : planned;
    case 'throttled_after':
      return payout === undefined ? 'throttled' : planned;
    case 'worker_died_lingering':
      return payout === undefined ? 'worker_died_after' : planned;
    default:
      return planned;
  }
}
