import { boundCommand, refusalOf, takePostback } from '../../workflows/shared/incoming.js';
import { hourMs } from '../../src/domain/cadence.js';
import type { Payment } from '../../workflows/shared/payment.js';
import { Violation } from '../simulation/violation.js';
import type { Build, Life } from '../support/lives.js';
import {
  acknowledgements,
  canBeAnswered,
  leadsOut,
  offersAnExit,
  showsWhatFollows,
  whyNotExecuted,
  whyNotRefused,
  whyNotTaken,
} from './always.js';
import { Choices } from './choices.js';
import type { Answers } from './answers.js';
import { ScriptedEngine } from './scripted-engine.js';
import type { Model, Move } from './search.js';
import { shapeOf } from './shape.js';
import {
  factsOf,
  isReset,
  nextRun,
  operator,
  seesReset,
  startsAt,
  type RunFacts,
  type SentCommand,
  type Step,
  type Waiting,
  type World,
} from './world.js';

export type LifecycleBounds = { readonly resets: number };

/** A lifecycle of ours, its service and whoever sends it commands, as a graph of worlds. */
export abstract class LifecycleModel<P extends Payment, Service> implements Model<World<Service>> {
  protected abstract readonly workflowId: string;
  /** How long somebody takes to reset it. */
  protected readonly resetsAfterMs: readonly number[] = [0];

  constructor(private readonly bounds: LifecycleBounds) {}

  protected abstract readonly build: Build<P>;
  protected abstract input(service: Service): object;
  /** What the service has at first, in each way that is explored. */
  protected abstract firstServices(): readonly Service[];
  /** What a step begins with. */
  protected abstract copy(service: Service): Service;
  protected abstract answers(step: Step<P, Service>): Answers;
  protected abstract commands(payment: P, service: Service): SentCommand<Service>[];
  /** What may change at the service by itself. */
  protected abstract changes(world: World<Service>): Iterable<{ name: string; service: Service }>;
  /** @throws Violation */
  protected abstract check(payment: P, service: Service, run: RunFacts): void;
  /** What is known at a wait, in few words: of all waits with the same words the last is one to reset to. */
  protected abstract known(payment: P): string;

  /** The bodies of postbacks that may come. */
  protected postbacks(_service: Service): string[] {
    return ['{}'];
  }

  /** What of a postback, and of an acknowledgement, the model keeps beside. */
  protected postbackCame?(service: Service, body: string): void;
  protected acknowledged?(service: Service): void;
  /** What a reset takes back of what the model keeps beside. */
  protected abstract wasSetBack(service: Service, to: Waiting): void;

  async start(): Promise<Move<World<Service>>[]> {
    const run = { id: 1, originalId: 1, afterReset: false, resetBefore: null };
    const moves: Move<World<Service>>[] = [];
    for (const service of this.firstServices()) {
      const world = {
        ...{ snapshot: '', snapshotShape: '', needsFreshRun: false, run, stage: '', attention: null },
        ...{ now: startsAt, until: null, closed: false, service, runs: 1, resets: 0, before: {} },
      };
      moves.push(...(await this.#steps('start', world)));
    }
    return moves;
  }

  async moves(world: World<Service>): Promise<Move<World<Service>>[]> {
    if (world.closed) return [];
    const moves: Move<World<Service>>[] = [];
    const comes = async (name: string, come: Come<P, Service>) => {
      moves.push(...(await this.#steps(name, world, come)));
    };
    if (world.until !== null) await comes('time passes', ({ engine }) => (engine.timePasses = true));
    for (const body of this.postbacks(world.service)) {
      await comes(`a postback ${body}`, ({ payment, service }) => {
        takePostback(payment, { received_at: new Date(world.now).toISOString(), content_type: null, body });
        this.postbackCame?.(service, body);
      });
    }
    if (isReadInVain(world)) {
      await comes('no read works for an hour', ({ payment }) => {
        payment.record.set({ unreadableSince: world.now - hourMs });
        payment.record.couldNotBeRead('cadence', 'The service does not answer.');
        payment.conclude();
      });
    }
    await comes('a cancel request', ({ engine }) => {
      engine.loop.requestCancel();
    });
    await comes('it goes on in a new run', ({ engine }) => (engine.runIsLong = true));
    moves.push(...(await this.#commandMoves(world)));
    for (const { name, service } of this.changes(world)) moves.push({ name, world: { ...world, service } });
    if (world.resets < this.bounds.resets) moves.push(...(await this.#resets(world)));
    return moves;
  }

  shape({ before, now, run, service, ...world }: World<Service>): string {
    const { closed, needsFreshRun, resets, snapshotShape, stage, until } = world;
    return [
      ...[
        snapshotShape,
        stage,
        shapeOf([until, this.copy(service)], now),
        Object.keys(before).sort().join(';'),
      ],
      ...[needsFreshRun, run.afterReset, isReset(run), closed, resets],
    ].join('\n');
  }

  async #commandMoves(world: World<Service>): Promise<Move<World<Service>>[]> {
    const { payment } = this.#lifeAt(world, { now: world.now }, world.service);
    const acknowledged = (service: Service) => {
      this.acknowledged?.(service);
    };
    const moves: Move<World<Service>>[] = [];
    const commands = [...this.commands(payment, world.service), ...acknowledgements(payment, acknowledged)];
    for (const command of commands) {
      const { message, name } = command;
      const sent = { ...operator, ...message };
      if (refusalOf(payment, name, sent) !== undefined) continue;
      const move = `${name} ${JSON.stringify(message)}`;
      const violation = whyNotTaken(payment, command);
      if (violation === undefined) moves.push(...(await this.#sent(move, world, command, sent)));
      else moves.push({ name: move, violation });
    }
    const after = moves.map((move) => ('world' in move ? move.world.attention : null));
    const violation = violationOf(() => leadsOut(world.attention, after));
    if (violation !== undefined) moves.push({ name: 'any command', violation });
    return moves;
  }

  #sent(move: string, world: World<Service>, command: SentCommand<Service>, sent: object) {
    return this.#steps(move, world, ({ engine, payment, service }) => {
      const fail = (why: Violation | undefined) => {
        if (why !== undefined) engine.fail(why);
      };
      engine.loop.queue.execute(boundCommand(payment, command.name, sent)).then(
        () => {
          fail(whyNotExecuted(world, command));
          command.executed?.(service, fail);
        },
        (reason: unknown) => {
          fail(whyNotRefused(reason, command));
          command.refused?.(service);
        },
      );
    });
  }

  async #resets(world: World<Service>): Promise<Move<World<Service>>[]> {
    const moves: Move<World<Service>>[] = [];
    for (const [known, before] of Object.entries(world.before)) {
      for (const afterMs of this.resetsAfterMs) {
        const service = this.copy(world.service);
        this.wasSetBack(service, before);
        const [now, runs, resets] = [world.now + afterMs, world.runs + 1, world.resets + 1];
        const run = { ...before.run, id: runs };
        const reset = { ...world, ...before, now, run, runs, service, resets, before: {} };
        const name = `a reset to "${known}"${afterMs === 0 ? '' : ' much later'}`;
        moves.push(...(await this.#steps(name, reset)));
      }
    }
    return moves;
  }

  /**
   * Lets something come to the workflow, and goes each way that the calls which follow from it can go, up to a violation:
   * the ways of a step that has no end are without number.
   */
  async #steps(name: string, world: World<Service>, come: Come<P, Service> = () => undefined) {
    const moves: Move<World<Service>>[] = [];
    for (let choices: Choices | undefined = new Choices(); choices !== undefined; choices = choices.next()) {
      const made = await this.#step(world, choices, come).catch(onlyViolation);
      moves.push({ name: [name, ...choices.names].join(', '), ...made });
      if ('violation' in made) break;
    }
    return moves;
  }

  async #step(from: World<Service>, choices: Choices, come: Come<P, Service>) {
    const clock = { now: from.now };
    const service = this.copy(from.service);
    let at: Waiting = from;
    let { runs } = from;
    for (;;) {
      const { live, payment } = this.#lifeAt(at, clock, service);
      const sees = seesReset(this.workflowId, at.run);
      const engine = new ScriptedEngine(
        payment,
        clock,
        this.answers({ payment, service, choices, clock, seesReset: sees }),
      );
      if (at === from) come({ engine, payment, service });
      const halt = await engine.live(live);
      showsWhatFollows(payment);
      const waiting = this.#waitingAt(payment, at, clock.now);
      if (halt.kind === 'continues_as_new') {
        runs += 1;
        at = { ...waiting, needsFreshRun: false, run: nextRun(at.run, runs) };
        continue;
      }
      const closed = halt.kind === 'ended';
      if (!closed) {
        canBeAnswered(payment);
        offersAnExit(payment);
      }
      this.check(payment, service, at.run);
      const isKept = from.resets < this.bounds.resets;
      const before = isKept ? { ...from.before, [this.known(payment)]: waiting } : from.before;
      const until = closed || halt.until === Infinity ? null : halt.until;
      return { world: { ...from, ...waiting, now: clock.now, until, closed, service, runs, before } };
    }
  }

  #waitingAt(payment: P, { run }: Waiting, now: number): Waiting {
    payment.record.set({ timeline: [] });
    const snapshot = payment.snapshot();
    const { needsFreshRun, stages, takes } = payment;
    return {
      snapshot: JSON.stringify(snapshot),
      snapshotShape: shapeOf(snapshot, now),
      needsFreshRun,
      // That the run before was a reset is acted upon as a run begins.
      run: { ...run, resetBefore: null },
      stage: Object.keys(stages).find((name) => stages[name] === takes) ?? '',
      attention: payment.record.attention,
    };
  }

  #lifeAt({ needsFreshRun, run, snapshot }: Waiting, clock: { now: number }, service: Service): Life<P> {
    const facts = factsOf(this.workflowId, run, clock);
    const life = this.build(this.input(service), facts, snapshot === '' ? undefined : snapshot);
    life.payment.needsFreshRun = needsFreshRun;
    return life;
  }
}

/** Whether a payment has an identifier that can be read in vain, of which that is no news. */
function isReadInVain({ snapshot }: Waiting): boolean {
  return /"serviceId":"[^"]/.test(snapshot) && snapshot.includes('"unreadable":null');
}

function violationOf(holds: () => void): Violation | undefined {
  try {
    holds();
    return undefined;
  } catch (error) {
    return onlyViolation(error).violation;
  }
}

function onlyViolation(error: unknown): { violation: Violation } {
  if (!(error instanceof Violation)) throw error;
  return { violation: error };
}

/** Something that comes to a workflow. */
type Come<P, Service> = (to: { engine: ScriptedEngine; payment: P; service: Service }) => void;
