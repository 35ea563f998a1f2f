import { isResetRun } from '../../activities/shared/reset-run.js';
import type { Life } from '../support/lives.js';
import { runOf } from '../support/run-of.js';
import { deliver, type Answers } from './messages.js';
import { Happenings } from './happenings.js';
import { Invariants } from './invariants.js';
import { lifecycleOf, type Lifecycle } from './lifecycles.js';
import type { Plan } from './plan.js';
import { seededRandom } from '../../scripts/seeded-random.mjs';
import type { Halt } from './driver.js';
import { SimulatedEngine } from './simulated-engine.js';
import type { HandedOn, Message, SetBack, Simulated, SimulatedRun } from './simulated-run.js';
import { SimulatedService } from './simulated-service.js';
import { Violation } from './violation.js';
import { VirtualClock } from './virtual-clock.js';
import { WatchedLoop } from './watched-loop.js';

const startsAt = Date.UTC(2026, 0, 5, 12);
const dayMs = 86_400_000;
/** How long a payment of a kind is simulated at most. */
const horizonDays: Record<Plan['kind'], number> = {
  payout: 60,
  refund: 60,
  account_validation: 10,
  card_order: 260,
  hosted_checkout: 260,
  three_d_secure_order: 260,
};
/** A life that takes more steps than these spins. */
const mostStepsAtOnce = 2_000;
const mostStepsADay = 1_000;

/** The whole life of one payment by a plan, without Temporal. Throws a Violation when an invariant is broken. */
export class Simulation implements Simulated {
  readonly clock = new VirtualClock(startsAt);
  readonly service: SimulatedService;
  readonly invariants: Invariants;
  readonly #lifecycle: Lifecycle;
  readonly #random: () => number;
  readonly #happenings: Happenings;
  /** Of commands that are replayed: what is answered during the replay was answered before. */
  readonly #answersAfterReplay: Answers = {
    accepted: (name) => {
      if (this.#replaysAt === undefined) this.invariants.tookEffect(name);
    },
    refused: () => undefined,
  };
  #runs = 0;
  #steps = 0;
  #messagedAt = 0;
  /** While a run is replayed: the recorded time. */
  #replaysAt: number | undefined;
  #isToBeSetBack: SetBack | undefined;
  run: SimulatedRun;

  constructor(readonly plan: Plan) {
    this.#random = seededRandom(plan.seed);
    this.service = new SimulatedService(this.clock, plan, this.#random, startsAt);
    this.#lifecycle = lifecycleOf(plan, this.service, startsAt);
    this.run = this.#begin(undefined, undefined);
    this.invariants = new Invariants(this);
    this.#happenings = new Happenings(this, this.#random);
  }

  get steps(): number {
    return this.#steps;
  }

  get disturbedAt(): number {
    return Math.max(this.#messagedAt, this.service.changedAt);
  }

  /** Lives the plan to its end: the workflow is closed, or nothing more happens. */
  async live(): Promise<void> {
    const horizon = startsAt + horizonDays[this.plan.kind] * dayMs;
    await this.#live(this.run);
    for (;;) {
      await this.#advance();
      this.#happenings.afterStep();
      this.invariants.afterStep();
      if (this.run.ended || !this.clock.step(horizon)) break;
      this.#steps += 1;
      checkComesToRest(this.#steps, this.clock.now - startsAt);
    }
    this.invariants.atTheEnd();
  }

  deliver(message: Message): void {
    const { run } = this;
    if (run.ended) return;
    this.#messagedAt = this.clock.now;
    run.recorded.push({ at: this.clock.now, came: message });
    deliver(message, run, this.invariants);
  }

  again({ facts, living }: SimulatedRun): Life {
    return this.#lifecycle.begin({ ...facts, resetBefore: null }, JSON.stringify(living.payment.snapshot()));
  }

  setBack(how: SetBack): void {
    if (this.run.ended) return;
    this.#isToBeSetBack = how;
    this.#messagedAt = this.clock.now;
  }

  /** Goes on from halt to halt until time has to pass. */
  async #advance(): Promise<void> {
    for (;;) {
      if (this.#isToBeSetBack !== undefined) await this.#setBack(this.#isToBeSetBack);
      const { run } = this;
      const { halt } = run;
      if (run.ended || halt === undefined) return;
      switch (halt.kind) {
        case 'continue_as_new':
          await this.#continueAsNew();
          break;
        case 'calls':
          if (run.answer === undefined) return this.#start(run, halt);
          await this.#goOn(run.answer.value);
          break;
        case 'wait':
        case 'handlers_end':
          if (!halt.wakes() && this.clock.now < halt.at) return this.#wakeAt(run, halt.at);
          await this.#goOn([]);
      }
    }
  }

  #start(run: SimulatedRun, halt: Extract<Halt, { kind: 'calls' }>): void {
    if (run.startedCall === halt) return;
    run.startedCall = halt;
    const answers = new Map<number, unknown>();
    for (const [place, { start }] of halt.calls.entries()) {
      start((answer) => {
        answers.set(place, answer);
        // The answer to a call of a run that is over reaches nobody.
        if (run.halt !== halt || answers.size < halt.calls.length) return;
        run.answer = { value: halt.calls.map((_, each) => answers.get(each)) };
      });
    }
  }

  #wakeAt(run: SimulatedRun, at: number): void {
    if (run.wakesAt === at) return;
    run.wakesAt = at;
    this.clock.cancel(run.wake);
    run.wake = this.clock.at(this.#skipsReads ? this.#afterSkippedReads(at) : at, () => undefined);
  }

  /** Most plans skip reads in quiet times, as if no worker ran; some make them all. */
  get #skipsReads(): boolean {
    return this.plan.seed % 8 !== 0 && this.#happenings.isQuiet && this.invariants.allIsNoticed;
  }

  /**
   * As long as nothing happens, a read shows what the one before it has shown. Then as many are left out as fit into
   * half of the time that has been quiet already, and before whatever happens next.
   */
  #afterSkippedReads(at: number): number {
    const { clock, disturbedAt, service } = this;
    const everyMs = at - clock.now;
    const until = Math.min(clock.nextAt, service.outages.changesAt, at + (clock.now - disturbedAt) / 2);
    return at + Math.max(0, Math.floor((until - at) / everyMs)) * everyMs;
  }

  /** Lets the lifecycle go on with what it stood still for, to where it stands still again. */
  async #goOn(value: readonly unknown[]): Promise<void> {
    this.run.recorded.push({ at: this.clock.now, went: value });
    await this.#went(this.run, value);
  }

  async #went(run: SimulatedRun, value: readonly unknown[]): Promise<void> {
    const { halt } = run;
    if (halt === undefined || halt.kind === 'continue_as_new') throw new Error('A replay went another way.');
    run.halt = undefined;
    run.answer = undefined;
    run.wakesAt = Infinity;
    if (halt.kind !== 'calls') halt.go(undefined);
    else for (const [place, { go }] of halt.calls.entries()) go(value[place]);
    await this.#settle(run);
  }

  async #continueAsNew(): Promise<void> {
    const { facts, living, originalRunId, unanswered } = this.run;
    if (unanswered > 0) {
      throw new Violation('a command that a run takes is answered by it', `${String(unanswered)} are not`);
    }
    const previous = this.run;
    this.run = this.#begin(
      {
        startedAt: facts.startedAt,
        afterReset: facts.afterReset,
        originalRunId,
        fromRunId: facts.runId,
        snapshot: JSON.stringify(living.payment.snapshot()),
      },
      undefined,
    );
    this.invariants.continuedAsNew(previous, this.run);
    await this.#live(this.run);
  }

  /** Replays a share of what the present run has recorded into a new run, then has what came in since come in again. */
  async #setBack({ by, dropsMessages = false, to: percent }: SetBack): Promise<void> {
    this.#isToBeSetBack = undefined;
    this.invariants.wasSetBack(by);
    const { run } = this;
    const to = Math.floor((run.recorded.length * Math.min(percent, 100)) / 100);
    const suggested = [...run.suggested].filter((at) => at <= to);
    this.run = this.#begin(run.handedOn, { run, by, suggested });
    const [replayed, since] = [run.recorded.slice(0, to), run.recorded.slice(to)];
    this.#replaysAt = run.begunAt;
    await this.#live(this.run);
    for (const entry of replayed) {
      this.#replaysAt = entry.at;
      this.run.recorded.push(entry);
      if ('came' in entry) deliver(entry.came, this.run, this.#answersAfterReplay);
      else await this.#went(this.run, entry.went);
    }
    this.#replaysAt = undefined;
    if (dropsMessages) return;
    for (const entry of since) if ('came' in entry) this.deliver(entry.came);
  }

  #begin(
    handedOn: HandedOn | undefined,
    again: { run: SimulatedRun; by: SetBack['by']; suggested: readonly number[] } | undefined,
  ): SimulatedRun {
    this.#runs += 1;
    const before = again?.run;
    // Nothing shows a run that its Temporal was restored.
    const runId = again?.by === 'restore' ? again.run.facts.runId : `run-${String(this.#runs)}`;
    const originalRunId = before?.originalRunId ?? runId;
    const random = seededRandom(this.plan.seed + Number(originalRunId.slice(4)));
    const now = () => this.#replaysAt ?? this.clock.now;
    const resetBefore =
      handedOn === undefined || handedOn.fromRunId === handedOn.originalRunId ? null : handedOn.fromRunId;
    const { workflowId } = this.#lifecycle;
    const facts = runOf(workflowId, {
      ...{ runId, originalRunId, isReset: runId !== originalRunId, resetBefore, now, random },
      startedAt: handedOn?.startedAt ?? startsAt,
      afterReset: handedOn?.afterReset === true || resetBefore !== null,
    });
    const begunAt = before?.begunAt ?? this.clock.now;
    if (before !== undefined) this.#replaysAt = begunAt;
    const living = this.#lifecycle.begin(facts, handedOn?.snapshot);
    this.#replaysAt = undefined;
    const driver = {
      service: this.service,
      now,
      random: this.#random,
      halt: (halt: Halt) => {
        run.halt = halt;
        run.settled();
      },
      suggestsContinueAsNew: () => {
        const at = run.recorded.length;
        if (this.#replaysAt === undefined && at > 0 && this.#oneIn(this.plan.continuesOneIn))
          run.suggested.add(at);
        return run.suggested.has(at);
      },
      isClosed: () => living.payment.record.closed,
      // As the activities find out.
      isResetRun: () => isResetRun({ workflowExecution: { workflowId, runId } }, originalRunId),
    };
    const run: SimulatedRun = {
      facts,
      originalRunId,
      isReset: again?.by === 'reset' || before?.isReset === true,
      begunAt,
      handedOn,
      living,
      loop: new WatchedLoop(living.payment, new SimulatedEngine(driver, runId)),
      recorded: [],
      suggested: new Set(again?.suggested),
      unanswered: 0,
      halt: undefined,
      startedCall: undefined,
      answer: undefined,
      wakesAt: Infinity,
      wake: undefined,
      ended: false,
      settled: () => undefined,
    };
    return run;
  }

  /** Lets a lifecycle begin, and go to where it first stands still. */
  async #live(run: SimulatedRun): Promise<void> {
    const settled = this.#settle(run);
    run.loop
      .live(() => run.living.live(run.loop))
      .then(
        () => {
          run.ended = true;
          run.settled();
        },
        (error: unknown) => {
          run.failed = { error };
          run.settled();
        },
      );
    await settled;
    if (run.failed !== undefined) throw run.failed.error;
  }

  async #settle(run: SimulatedRun): Promise<void> {
    await new Promise<void>((resolve) => {
      run.settled = resolve;
    });
    if (run.failed !== undefined) throw run.failed.error;
  }

  #oneIn(chances: number): boolean {
    return chances > 0 && this.#random() < 1 / chances;
  }
}

/** Throws a Violation when a payment has taken more steps in this time than one that waits for something needs. */
function checkComesToRest(steps: number, tookMs: number): void {
  const days = tookMs / dayMs;
  if (steps <= mostStepsAtOnce + days * mostStepsADay) return;
  throw new Violation('a payment comes to rest', `${String(steps)} steps in ${String(days)} days`);
}
