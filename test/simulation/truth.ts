import { attemptView } from '../../src/domain/payout-attempts.js';
import { PayoutPayment } from '../../workflows/payout/payment.js';
import { canBeAnswered } from '../exploration/always.js';
import type { Simulated, SimulatedRun } from './simulated-run.js';
import { commandsOf, shownBy } from './shown.js';
import { Violation } from './violation.js';

/** The statuses of an attempt that has failed, and may say why. */
const failedStatuses = ['error', 'rejected', 'never_sent', 'not_paid'];

/** What a state says is awaited, announced, offered and handed on must be so. */
export class Truth {
  #looked = '';

  constructor(private readonly simulation: Simulated) {}

  afterStep(): void {
    const { halt } = this.simulation.run;
    if (halt?.kind !== 'wait') return;
    this.#somethingWakesIt();
    this.#announcesItsRead();
    this.#deniesNoMovement();
    // What commands are taken, and what a fresh run shows, changes with the status alone, but for a sample.
    const { attention, status } = this.simulation.run.living.payment.record;
    const now = `${halt.awaiting} ${status} ${String(attention)}`;
    if (now === this.#looked && this.simulation.steps % 64 !== 0) return;
    this.#looked = now;
    this.#takesWhatItOffers();
    this.#onlyFailuresHaveCauses();
    this.#paidIsShown();
    canBeAnswered(this.simulation.run.living.payment);
    this.#continuesUnchanged();
  }

  /** A fresh run must show what the one before it showed. */
  continuedAsNew(previous: SimulatedRun, next: SimulatedRun): void {
    if (next.facts.resetBefore !== null || this.simulation.steps % 16 !== 0) return;
    this.#same(shownBy(previous), shownBy(next));
  }

  #somethingWakesIt(): void {
    const { halt, living } = this.simulation.run;
    if (halt?.kind !== 'wait' || Number.isFinite(halt.at)) return;
    if (living.payment.record.attention === null) {
      broken('a payment is woken or needs an operator', `it waits for ${halt.awaiting}`);
    }
  }

  /** A read that the state announces is made then at the latest. */
  #announcesItsRead(): void {
    const { halt, living } = this.simulation.run;
    const announced = living.payment.record.nextRead?.at;
    if (halt?.kind !== 'wait' || announced === undefined) return;
    if (halt.at > Math.max(announced, this.simulation.clock.now)) {
      broken('the state tells the truth', `a read is announced and nothing wakes it (${halt.awaiting})`);
    }
  }

  /** Of an attempt that was last shown moving, also to a command that was refused, nobody may say that it came to nothing. */
  #deniesNoMovement(): void {
    const { plan, run, service } = this.simulation;
    const { payment } = run.living;
    // With another value it is not this payout, for all that anybody can know.
    if (!(payment instanceof PayoutPayment) || plan.shape.netValue) return;
    for (const { partnerCode, phase, serviceId } of payment.attempts) {
      if (phase !== 'not_paid') continue;
      for (const { code, record } of service.sent) {
        const shown = code === partnerCode && record !== undefined ? service.shown.get(record.id) : undefined;
        // Whose it is, a read by an identifier that an operator names need not show.
        const isOfIt = shown?.by === 'list' || plan.shape.showsCode || serviceId === record?.id;
        if (shown === undefined || [null, 'error'].includes(shown.status) || !isOfIt) continue;
        broken('what was last shown moving has not come to nothing', `${code} is ${String(shown.status)}`);
      }
    }
  }

  /** Each command that the state does not refuse is taken by the stage. */
  #takesWhatItOffers(): void {
    const { halt, living, loop } = this.simulation.run;
    if (halt?.kind !== 'wait') return;
    const { payment } = living;
    for (const command of commandsOf(payment.attemptNumber())) {
      if (command.name === 'acknowledgeAttention' || loop.takes[command.name] !== undefined) continue;
      if (payment.refusalOf(command) === undefined) {
        broken('commands that are offered are taken', `${command.name} while it awaits ${halt.awaiting}`);
      }
    }
  }

  /** Continuing as new at this wait would change nothing that can be seen. */
  #continuesUnchanged(): void {
    const { run } = this.simulation;
    const again = this.simulation.again(run);
    this.#same(shownBy(run), shownBy({ living: again }));
  }

  #same(before: string, after: string): void {
    if (before !== after) {
      const at = [...before].findIndex((character, index) => character !== after[index]);
      const part = (text: string) => text.slice(Math.max(0, at - 80), at + 80);
      broken('continuing as new changes nothing', `${part(before)}\n became ${part(after)}`);
    }
  }

  /** Money that has left by one attempt is not hidden by the failure of the latest one. */
  #paidIsShown(): void {
    const { payment } = this.simulation.run.living;
    if (!(payment instanceof PayoutPayment)) return;
    const statuses = payment.attempts.map((attempt) => attemptView(attempt).status);
    const isOver = ['done', ...failedStatuses].includes(statuses.at(-1) ?? '');
    if (isOver && statuses.includes('done') && payment.record.status !== 'done') {
      broken('the state tells the truth', `an attempt is done, and the payout is ${payment.record.status}`);
    }
  }

  /** Of an attempt that may still pay nothing says that it has failed. */
  #onlyFailuresHaveCauses(): void {
    const { payment } = this.simulation.run.living;
    if (!(payment instanceof PayoutPayment)) return;
    for (const { cause, partner_code: code, status } of payment.attempts.map(attemptView)) {
      if (cause !== null && !failedStatuses.includes(status)) {
        broken('the state tells the truth', `${code} is ${status}, and its cause of failure is ${cause}`);
      }
    }
  }
}

function broken(invariant: string, detail: string): never {
  throw new Violation(invariant, detail);
}
