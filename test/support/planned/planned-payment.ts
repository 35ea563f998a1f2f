import { isSettled, violationsOf } from '../../../scripts/drills/plan-end.mjs';
import type { PaymentState } from '../../../src/contract/state.js';
import { commandOf } from '../../simulation/operator.js';
import { Outages } from '../../simulation/outages.js';
import { delaysMs, type Happening, type OperatorAction, type Plan } from '../../simulation/plan.js';
import { VirtualClock, type Event } from '../../simulation/virtual-clock.js';
import { cardsOf } from '../lifecycles/card-orders.js';
import { meanwhile } from '../payment.js';
import { refusalOf } from '../refusal.js';
import type { TestStack } from '../test-stack.js';
import { PlannedRecords } from './records.js';
import { startPlanned, type Begun } from './start.js';

const minute = 60_000;
const day = 24 * 60 * minute;
/** From step to step of a lifecycle, while nothing goes wrong. */
const stepMs = 10_000;
/** The ledger's checks take for a race what the service changes within a minute before a send. */
const raceMs = 90_000;
const listedLateMs = 20 * minute;
/** A happening that waits for an operator to be asked for waits no longer. */
const askedWithinMs = day / 2;
/** What comes later than this differs little, and costs many reads. */
const horizonMs = 4 * day;
/** Nothing is left to happen, and nothing has for so long. */
const quietMs = 60 * minute;
const settledWithinMs = 40 * day;

/** Lives a plan on the server that skips time; answers what is wrong with its end, in words. */
export async function livePlan(stack: TestStack, plan: Plan, code: string): Promise<string[]> {
  const records = new PlannedRecords(stack.sandbox, plan, code);
  const begun = await startPlanned(stack, plan, code, () => records.armCalls());
  const planned = new PlannedPayment(stack, plan, records, begun);
  try {
    await planned.live();
    stack.sandbox.clearFaults();
    return await planned.settle();
  } finally {
    stack.sandbox.clearFaults();
  }
}

/** Brings about all that a plan has happen to a payment. */
class PlannedPayment {
  /** Since the start; the server's clock follows it. */
  readonly #clock = new VirtualClock(0);
  readonly #outages: Outages;
  readonly #due: (() => Promise<void>)[] = [];
  readonly #seenAt = new Map<string, number>();
  #planned = 0;
  #next = 0;
  /** Since when the next happening waits for an operator to be asked for. */
  #waitsSince: number | undefined;
  #look: Event | undefined;
  #disturbedAt = 0;
  #retriesTaken = 0;

  constructor(
    private readonly stack: TestStack,
    private readonly plan: Plan,
    private readonly records: PlannedRecords,
    private readonly begun: Begun,
  ) {
    this.#outages = new Outages(plan.outages, this.#clock, 0);
  }

  async live(): Promise<void> {
    this.#changeOutages();
    this.#planNext();
    this.#lookAfter(stepMs);
    for (;;) {
      const before = this.#clock.now;
      if (!this.#clock.step(horizonMs)) return;
      if (this.#clock.now > before) await this.stack.clock.pass(this.#clock.now - before);
      for (const act of this.#due.splice(0)) await act();
      const hasHappened = this.#planned === 0 && this.#waitsSince === undefined;
      if (hasHappened && this.#clock.now - this.#disturbedAt > quietMs) return;
    }
  }

  /** Ends what the service has under way, and waits until the payment has come to its end as well. */
  async settle(): Promise<string[]> {
    const { kind } = this.plan;
    let [waited, step] = [0, minute];
    for (;;) {
      const state = await this.#state();
      if (!state.closed) this.records.end();
      if (state.closed || waited > settledWithinMs || isSettled(kind, state, this.records.latest)) {
        return violationsOf({ kind, records: this.records.all, retriesTaken: this.#retriesTaken, state });
      }
      await this.stack.clock.pass(step);
      waited += step;
      step = Math.min(step * 1.5, day);
    }
  }

  #state(): Promise<PaymentState> {
    return this.begun.payment.state();
  }

  #after(delayMs: number, act: () => Promise<void>): void {
    this.#planned += 1;
    this.#clock.after(delayMs, () => {
      this.#planned -= 1;
      this.#due.push(act);
    });
  }

  #changeOutages(): void {
    this.records.armOutages(this.#outages);
    const at = this.#outages.changesAt;
    if (Number.isFinite(at)) {
      this.#after(at - this.#clock.now, () => Promise.resolve(this.#changeOutages()));
    }
  }

  #planNext(): void {
    const happening = this.plan.happenings[this.#next];
    this.#next += 1;
    if (happening === undefined) return;
    const { what, when } = happening;
    if ('asked' in when) this.#waitsSince = this.#clock.now;
    else {
      const delayMs = 'step' in when ? when.step * stepMs : (delaysMs[when.after] ?? 0);
      this.#after(delayMs, () => this.#happen(what));
    }
  }

  #lookAfter(delayMs: number): void {
    this.#clock.cancel(this.#look);
    this.#look = this.#clock.at(this.#clock.now + delayMs, () => {
      this.#due.push(() => this.#lookAround());
    });
  }

  /** Soon after a change, and then more and more seldom. */
  async #lookAround(): Promise<void> {
    const { now } = this.#clock;
    for (const { id, partner_code: code } of this.records.living) {
      if (this.#seenAt.has(id)) continue;
      this.#live(code, this.plan.lives[this.#seenAt.size] ?? []);
      this.#seenAt.set(id, now);
    }
    // The sandbox lists in its own time what it lists late.
    if ([...this.#seenAt.values()].every((at) => now - at > listedLateMs)) this.stack.sandbox.hurry();
    if (this.#waitsSince !== undefined) await this.#planAsked(this.#waitsSince);
    this.#lookAfter(Math.max(raceMs, (now - this.#disturbedAt) / 2));
  }

  async #planAsked(since: number): Promise<void> {
    const happening = this.plan.happenings[this.#next - 1];
    if (happening === undefined || !('asked' in happening.when)) return;
    const { attention } = await this.#state();
    if (attention === null && this.#clock.now - since < askedWithinMs) return;
    this.#waitsSince = undefined;
    this.#after(delaysMs[happening.when.asked] ?? 0, () => this.#happen(happening.what));
  }

  #live(code: string, life: Plan['lives'][number]): void {
    let at = 0;
    for (const { after, status } of life) {
      at += delaysMs[after] ?? 0;
      this.#after(at, () => this.#set(code, status));
    }
  }

  /** What the service changes once a watch has ended nobody follows. */
  async #set(code: string, status: string): Promise<void> {
    if ((await this.#state()).closed) return;
    this.records.set(code, status);
    this.#disturbed();
  }

  #disturbed(): void {
    this.#disturbedAt = this.#clock.now;
    this.#lookAfter(raceMs);
  }

  async #happen(what: Happening['what']): Promise<void> {
    if ((await this.#state()).closed) return;
    await this.#bringAbout(what);
    this.#disturbed();
    this.#planNext();
  }

  async #bringAbout(what: Happening['what']): Promise<void> {
    const { payment, anotherId } = this.begun;
    const record = this.records.latest;
    switch (what.do) {
      case 'hint':
        return payment.signal('statusHint', { source: 'planned' });
      case 'shared': {
        const { service_id } = await this.#state();
        const shared = { service_id: service_id ?? 'none', workflow_id: 'another' };
        return payment.signal('identifierShared', shared);
      }
      case 'cancel':
        return payment.cancel();
      case 'postback': {
        const named = { it: record?.id, another: anotherId, nothing: undefined }[what.names];
        return payment.postback(named === undefined ? 'not JSON' : { order: { id: named }, status: 'paid' });
      }
      case 'status':
        if (record !== undefined) this.records.set(record.partner_code, what.status);
        return;
      case 'reset':
      case 'restore':
        // The server that skips time knows neither.
        return;
      default:
        return this.#command(what.do);
    }
  }

  async #command(action: Exclude<OperatorAction, 'cancel'>): Promise<void> {
    const { anotherId, payment } = this.begun;
    const record = this.records.latest;
    const state = await this.#state();
    const isQueued = record !== undefined && 'refunds_requested' in record && record.refunds_requested > 0;
    const { message, name } = commandOf(action, {
      attempt: state.kind === 'payout' ? state.attempts.at(-1)?.number : undefined,
      attention: state.attention,
      recordId: record?.id,
      anotherId,
      card: cardsOf(this.stack).stored(),
      isRefunded: record?.status === 'refunded',
      noRefundIsQueued: !isQueued || record.status === 'refund_failed',
    });
    const refusal = await meanwhile(this.stack.clock, payment.command(name, message)).then(
      () => undefined,
      refusalOf,
    );
    if (refusal === undefined && name.startsWith('retry')) this.#retriesTaken += 1;
  }
}
