import { attemptStatus } from '../../src/domain/payout-attempts.js';
import type { Tracked } from '../../src/dev/sandbox/tracked.js';
import { PayoutPayment } from '../../workflows/payout/payment.js';
import type { CommandName } from '../../src/domain/stage-table.js';
import type { Payment } from '../../workflows/shared/payment.js';
import { offersAnExit } from '../exploration/always.js';
import { FailedReads } from './failed-reads.js';
import type { Answers } from './messages.js';
import { Noticed } from './noticed.js';
import type { SetBack, Simulated, SimulatedRun } from './simulated-run.js';
import type { Sent } from './simulated-call.js';
import { couldBeSeen, hadStatus, operator, raceMs } from './shown.js';
import { Truth } from './truth.js';
import { Violation } from './violation.js';

/** Reads of all attempts, and a scan of the list, take no longer. */
const proofMs = 10_000;
/** The statuses of an order that may be refunded. */
const refundable = ['refund_failed', 'paid', 'compensated'];

/** What must hold after every step of a simulated payment. What moved money is taken from the sandbox's ledger. */
export class Invariants implements Answers {
  #checkedSends = 0;
  /** When commands that may send were accepted. */
  readonly #acceptedAt: number[] = [];
  #isResolved = false;
  #givenUp = false;
  /** Given up, and not reset since: no command sends it any more. */
  #staysOver = false;
  /** When an abandonment was accepted that is not checked yet. */
  #abandonedAt: number | undefined;
  #wasRestored = false;
  /** A retry that a run took which came about by a reset. */
  #tookInAResetRun: CommandName | undefined;
  /** Called unsent before a scan could show what had been sent under their codes: before a restore or a reset. */
  readonly #calledUnsent = new Set<string>();
  readonly #truth: Truth;
  readonly #noticed: Noticed;
  readonly #failedReads: FailedReads;

  constructor(private readonly simulation: Simulated) {
    this.#truth = new Truth(simulation);
    this.#noticed = new Noticed(simulation);
    this.#failedReads = new FailedReads(simulation);
  }

  /** Whether the state shows all that the ledger holds, or an operator is asked. */
  get allIsNoticed(): boolean {
    return this.#noticed.isAll;
  }

  accepted(name: CommandName, { isReset }: SimulatedRun): void {
    if (isReset && name.startsWith('retry')) this.#tookInAResetRun = name;
    this.tookEffect(name);
  }

  /** A command that was begun before a reset may end after it: it was accepted all the same. */
  tookEffect(name: CommandName): void {
    if (name === 'retryPayout' || name === 'retryRefund' || name === 'completeThreeDSecure') {
      this.#acceptedAt.push(this.simulation.clock.now);
      this.#givenUp = false;
    }
    if (name === 'resolveSubmission') this.#isResolved = true;
    if (name === 'acknowledgeAttention') this.#noticed.acknowledged();
    if (name === 'abandonPayout') {
      this.#givenUp = this.#staysOver = true;
      this.#abandonedAt = this.simulation.clock.now;
    }
  }

  refused(): void {
    // A refused command must have no effect: what is sent is counted against what was accepted.
  }

  afterStep(): void {
    if (this.#tookInAResetRun !== undefined) {
      this.#broken('a run that came about by a reset takes no retry', this.#tookInAResetRun);
    }
    this.#neverTwice();
    this.#noticed.afterStep();
    this.#isItsOwn();
    this.#offersAnExit();
    this.#refusedIsRefused();
    this.#staysGivenUp();
    this.#truth.afterStep();
    this.#failedReads.afterStep();
  }

  /** A fresh run must show what the one before it showed. */
  continuedAsNew(previous: SimulatedRun, next: SimulatedRun): void {
    this.#truth.continuedAsNew(previous, next);
  }

  /** What a reset takes back, a payment may have to receive again. */
  wasSetBack(by: SetBack['by']): void {
    this.#staysOver = false;
    this.#noticed.wasSetBack();
    this.simulation.service.shown.clear();
    this.#failedReads.forget();
    this.#wasRestored ||= by === 'restore';
  }

  atTheEnd(): void {
    this.#refusedIsRefused();
    const { sent } = this.simulation.service;
    for (const [index, send] of sent.entries()) {
      for (const previous of sent.slice(0, index)) this.#mayFollow(previous, send);
    }
    const { ended, living } = this.simulation.run;
    const isForgotten = this.#wasRestored && living.payment.record.status === 'cancelled';
    if (ended && !isForgotten) this.#noticed.atTheEnd();
  }

  #offersAnExit(): void {
    const { halt, living } = this.simulation.run;
    if (halt?.kind === 'wait') offersAnExit(living.payment);
  }

  /** What another payment owns at the service is not taken for this one. */
  #isItsOwn(): void {
    const { run, service } = this.simulation;
    const { serviceId } = run.living.payment.record;
    if (serviceId === service.foreign.id || serviceId === service.foreignOrder.id) {
      this.#broken('a payment is only what is its own at the service', serviceId);
    }
  }

  #staysGivenUp(): void {
    const { payment } = this.simulation.run.living;
    if (this.#abandonedAt !== undefined) this.#knewAllAttempts(this.#abandonedAt);
    this.#abandonedAt = undefined;
    if (!this.#staysOver || this.simulation.run.halt?.kind !== 'wait') return;
    const retry = {
      name: 'retryPayout' as const,
      message: { ...operator, attempt: payment.attemptNumber() ?? 1 },
    };
    if (payment.refusalOf(retry) === undefined) {
      this.#broken('what was given up is not offered again', payment.record.status);
    }
  }

  /** After a reset nothing is given up before every attempt was looked for that the list can show. */
  #knewAllAttempts(at: number): void {
    const { run, service } = this.simulation;
    const { payment } = run.living;
    if (!(payment instanceof PayoutPayment)) return;
    const known = new Set(payment.attempts.map(({ partnerCode }) => partnerCode));
    for (const { code, record } of service.sent) {
      if (record?.type !== 'payout' || known.has(code) || !couldBeSeen(this.simulation, record, at)) continue;
      if (!hadStatus(record, at, ['error'])) {
        this.#broken('no payout is given up before all attempts were looked for', code);
      }
    }
  }

  /** Nothing is sent twice, nor after it was given up, nor without a command that was accepted. */
  #neverTwice(): void {
    const { sent } = this.simulation.service;
    const { kind } = this.simulation.plan;
    if (this.#checkedSends === sent.length) return;
    for (; this.#checkedSends < sent.length; this.#checkedSends += 1) {
      const send = sent[this.#checkedSends];
      if (send === undefined) continue;
      if (this.#givenUp || this.simulation.run.living.payment.record.status === 'cancelled') {
        this.#broken('what was given up is not sent', send.code);
      }
      if (kind === 'refund' && !hadStatus(this.simulation.service.refundable, send.at, refundable)) {
        this.#broken('no order is refunded that reads as refunded or charged back', send.code);
      }
      for (const previous of sent.slice(0, this.#checkedSends)) {
        this.#mayFollow(previous, send);
        this.#readsAsFailed(previous, send);
      }
    }
    const codes = new Set(sent.map(({ code }) => code));
    if (kind === 'payout' && codes.size > 1 + this.#acceptedAt.length + this.#validations()) {
      this.#broken('a further attempt needs a command that was accepted', [...codes].join(', '));
    }
  }

  /** A request may follow another one only when that surely had no effect, or its record has failed. */
  #mayFollow(previous: Sent, send: Sent): void {
    const { record } = previous;
    if (record === undefined || record.type === 'account_validation') return;
    const isDecided = this.#acceptedAt.some((at) => at >= previous.at && at <= send.at);
    // A status code was believed, and no list could show that it was not so.
    if (previous.deceived === true && !couldBeSeen(this.simulation, record, send.at)) return;
    if (!isDecided && previous.code === send.code) this.#broken('nothing is sent again by itself', send.code);
    // What came about right before the send, or after it, nobody could have known.
    if (send.at - previous.effectAt < raceMs) return;
    switch (this.simulation.plan.kind) {
      case 'payout':
        if (!couldBeSeen(this.simulation, record, send.at)) return;
        if (previous.code === send.code) this.#broken('no code is posted twice', send.code);
        if (!hadStatus(record, send.at, ['error'], unseenMs(send))) {
          this.#broken('a payout is not paid twice', send.code);
        }
        return;
      case 'refund':
        if (!hadStatus(record, send.at, refundable)) {
          this.#broken(
            'an order is not refunded twice',
            record.history.map(({ status }) => status).join(' '),
          );
        }
        return;
      case 'three_d_secure_order':
        // Its record is made once, and then changed by a completion.
        if (
          previous.code === send.code &&
          previous.deceived !== true &&
          !this.#isDeniedUnseen(record, send.at)
        ) {
          this.#broken('an order is not completed twice', send.code);
        }
        return;
      default:
        this.#broken('an order is not sent twice', send.code);
    }
  }

  /** Whose identifier the state has is read before a further attempt, whether or not the list shows it. */
  #readsAsFailed({ effectAt, record }: Sent, send: Sent): void {
    const { payment } = this.simulation.run.living;
    if (!(payment instanceof PayoutPayment) || record === undefined) return;
    const isKnown = payment.attempts.some(({ serviceId }) => serviceId === record.id);
    if (!isKnown || send.at - effectAt < raceMs) return;
    if (!hadStatus(record, send.at, ['error'], unseenMs(send))) {
      this.#broken('a payout is not paid twice', `${send.code}, after ${record.partnerCode}`);
    }
  }

  /** An operator has said that a completion did nothing, and the service showed nothing of it either. */
  #isDeniedUnseen(record: Tracked, at: number): boolean {
    return this.#isResolved && hadStatus(record, at, ['waiting_payment']);
  }

  /** What the service took is called neither unsent nor, unless the service or an operator has said so, refused. */
  #refusedIsRefused(): void {
    const { clock, run, service } = this.simulation;
    const { now } = clock;
    const { payment } = run.living;
    if (payment.kind === 'refund') return;
    for (const send of service.sent) {
      const { code, deceived, record } = send;
      if (record === undefined || record.type === 'account_validation') continue;
      const status = payment instanceof PayoutPayment ? statusOf(payment, code) : payment.record.status;
      const isUnsent = status === 'never_sent' || status === 'cancelled';
      // What a status code denied stays believed until a look, which shows what was there when it began.
      const lookedAt = payment instanceof PayoutPayment ? payment.data.scanBegunAt : null;
      const isBelieved = deceived === true && !couldBeSeen(this.simulation, record, lookedAt ?? now);
      // What was sent in the time that a restore has lost is not known before a scan.
      const isForgotten = this.#wasRestored && !isListed(payment, code);
      const isAnother = isBegunAfter(payment, send) && !couldBeSeen(this.simulation, record, now);
      if (isUnsent && !isForgotten && !isAnother && !isBelieved && !this.#calledUnsent.has(code)) {
        this.#broken('what the service took is not called unsent', code);
      }
      const isRefused = status === 'rejected' && deceived !== true && !this.#isResolved;
      // What was said of an attempt while the list hid another of its code stands until the next scan.
      if (isUnsent || (isRefused && isAnother)) this.#calledUnsent.add(code);
      if (isRefused && !isAnother && !this.#calledUnsent.has(code)) {
        this.#broken('what the service took is not called refused', code);
      }
    }
  }

  #validations(): number {
    return this.simulation.plan.validated ? 1 : 0;
  }

  #broken(invariant: string, detail: string): never {
    throw new Violation(invariant, detail);
  }
}

/** Whether a scan has shown it that can't be followed. */
function isListed(payment: Payment, code: string): boolean {
  if (!(payment instanceof PayoutPayment)) return false;
  return payment.attempts.some(({ listed, partnerCode }) => listed === true && partnerCode === code);
}

/** Whether the attempt with its code is another one, begun since: after a reset nothing is known of the first. */
function isBegunAfter(payment: Payment, { at, code }: Sent): boolean {
  if (!(payment instanceof PayoutPayment)) return false;
  return payment.attempts.some(({ decidedAt, partnerCode }) => partnerCode === code && decidedAt > at);
}

function statusOf({ attempts }: PayoutPayment, code: string): string | undefined {
  const attempt = attempts.find(({ partnerCode }) => partnerCode === code);
  return attempt && attemptStatus(attempt);
}

/** What came about so shortly before it left, nobody could see: before it is sent again, all is read again. */
function unseenMs({ at, isAgain, scheduledAt }: Sent): number {
  return isAgain ? at - scheduledAt + proofMs : raceMs;
}
