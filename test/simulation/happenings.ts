import { attemptNumberOf } from '../../src/domain/ids.js';
import { fullScanBackMs } from '../../src/domain/reconciling.js';
import type { Tracked } from '../../src/dev/sandbox/tracked.js';
import { card, partnerCode } from './lifecycles.js';
import type { Message, Simulated } from './simulated-run.js';
import { commandOf } from './operator.js';
import { delaysMs, type Happening, type OperatorAction } from './plan.js';

/** A restore takes so long at least. */
const restoreMs = 30 * 60_000;

/** Brings about what a plan has happen to a payment from outside, one thing after the other. */
export class Happenings {
  #next = 0;
  #armed: { step: number } | { asked: number } | undefined;
  #halts = 0;
  /** Of the daily comparison: whether it is about to be made, and what of the payment's life it has seen. */
  #comparesNext = false;
  #comparedUntil = 0;

  constructor(
    private readonly simulation: Simulated,
    private readonly random: () => number,
  ) {
    this.#arm();
  }

  /** Whether nothing happens next at the next step, but only at a time, or once an operator is asked for. */
  get isQuiet(): boolean {
    const armed = this.#armed;
    if (armed === undefined) return true;
    return 'asked' in armed && this.simulation.run.living.payment.record.attention === null;
  }

  /** Lets happen what waits for a step of the lifecycle, or for an operator to be asked for. */
  afterStep(): void {
    this.#halts += 1;
    if (this.simulation.plan.reconciled) this.#compareWhenChanged();
    const armed = this.#armed;
    if (armed === undefined) return;
    if ('step' in armed && this.#halts < armed.step) return;
    if ('asked' in armed && this.simulation.run.living.payment.record.attention === null) return;
    this.#armed = undefined;
    this.#happenAfter('asked' in armed ? (delaysMs[armed.asked] ?? 0) : this.random() * 300);
  }

  #arm(): void {
    const happening = this.simulation.plan.happenings[this.#next];
    if (happening === undefined) return;
    const { when } = happening;
    if ('after' in when) this.#happenAfter(delaysMs[when.after] ?? 0);
    else this.#armed = 'step' in when ? { step: this.#halts + when.step } : when;
  }

  #happenAfter(delayMs: number): void {
    this.simulation.clock.after(delayMs, () => {
      const happening = this.simulation.plan.happenings[this.#next];
      this.#next += 1;
      if (happening !== undefined) this.#happen(happening.what);
      this.#arm();
    });
  }

  /** The service's list is compared with ours each day; without a change the comparison would show nothing new. */
  #compareWhenChanged(): void {
    if (this.#comparesNext || this.simulation.disturbedAt < this.#comparedUntil) return;
    this.#comparesNext = true;
    this.simulation.clock.after(86_400_000, () => {
      this.#comparesNext = false;
      if (this.simulation.service.outages.until('list') !== undefined) return;
      if (this.#differs()) this.simulation.deliver({ kind: 'hint' });
      else this.#comparedUntil = this.simulation.clock.now;
    });
  }

  /**
   * Whether the list, as far as a reconciliation reads it, holds an attempt of this payout in another status, or one that is
   * not known here and has not failed.
   */
  #differs(): boolean {
    const view = this.simulation.run.living.payment.view();
    if (view.kind !== 'payout') return false;
    const shown = new Map(view.attempts.map((attempt) => [attempt.partner_code, attempt.status]));
    return this.simulation.service.sandbox.payouts
      .all()
      .filter(
        ({ listed, createdAt }) =>
          listed && this.simulation.clock.now - Date.parse(createdAt) < fullScanBackMs,
      )
      .filter((payout) => attemptNumberOf(partnerCode, payout.partnerCode) !== undefined)
      .some(({ partnerCode: code, status }) => (shown.get(code) ?? 'error') !== status);
  }

  #happen(what: Happening['what']): void {
    const { simulation } = this;
    const record = this.#latestRecord();
    switch (what.do) {
      case 'hint':
        return simulation.deliver({ kind: 'hint' });
      case 'shared':
        return simulation.deliver({ kind: 'shared' });
      case 'postback':
        return simulation.deliver({ kind: 'postback', body: this.#postback(what.names, record) });
      case 'reset':
        return simulation.setBack({ by: 'reset', ...what });
      case 'restore':
        if (this.#mayBeRestored) simulation.setBack({ by: 'restore', to: 0 });
        return;
      case 'status':
        if (record !== undefined) simulation.service.set(record, what.status);
        return;
      default:
        return simulation.deliver(this.#messageOf(what.do, record));
    }
  }

  /**
   * By the runbook: each send is preceded by a scan, the list works, and shows all that was under way. A backup that
   * lacks what came in from outside is not simulated.
   */
  get #mayBeRestored(): boolean {
    const { clock, plan, run, service } = this.simulation;
    const { flakyOneIn, kind, listing, outages, scanAlways } = plan;
    const listWorks = listing === 'at_once' && outages.length === 0 && flakyOneIn === 0;
    const isSettled = run.halt?.kind === 'wait' && clock.now - (service.sent.at(-1)?.at ?? 0) > restoreMs;
    const hasReceivedNothing = run.recorded.every((entry) => 'went' in entry);
    return kind === 'payout' && scanAlways && listWorks && isSettled && hasReceivedNothing;
  }

  /** What the service holds of this payment: the record that was made last. */
  #latestRecord(): Tracked | undefined {
    const { plan, service } = this.simulation;
    const { sent } = service;
    if (plan.kind === 'refund') return service.refundable;
    return sent.findLast(({ record }) => record !== undefined)?.record;
  }

  #postback(names: 'it' | 'another' | 'nothing', record: Tracked | undefined): string {
    const { foreignOrder } = this.simulation.service;
    if (names === 'nothing' || (names === 'it' && record === undefined)) return 'not JSON';
    const { id, status } = names === 'it' && record !== undefined ? record : foreignOrder;
    return JSON.stringify({ id: 'evt_1', order: { id }, status, partner_code: partnerCode });
  }

  #messageOf(action: OperatorAction, record: Tracked | undefined): Message {
    if (action === 'cancel') return { kind: 'cancel' };
    const { plan, run, service } = this.simulation;
    const another = plan.kind === 'payout' ? service.foreign : service.foreignOrder;
    const command = commandOf(action, {
      attempt: run.living.payment.attemptNumber() ?? undefined,
      attention: run.living.payment.record.attention,
      recordId: record?.id,
      anotherId: another.id,
      card,
      isRefunded: service.refundable.status === 'refunded',
      noRefundIsQueued: this.#noRefundIsQueued(),
    });
    return { kind: 'command', ...command };
  }

  /** An operator has looked at the service. A request that it gets later nobody can see yet. */
  #noRefundIsQueued(): boolean {
    const { refundable, sent } = this.simulation.service;
    const isOver = refundable.status === 'refund_failed';
    return isOver || sent.every(({ record }) => record === undefined);
  }
}
