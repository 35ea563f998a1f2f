import type { CommandName } from '../../src/domain/stage-table.js';
import { acknowledgeRefusal, attentions } from '../../src/domain/attention.js';
import { boundCommand, refusalOf, takePostback } from '../../workflows/shared/incoming.js';
import type { Payment } from '../../workflows/shared/payment.js';
import type { Run } from '../../workflows/shared/run.js';
import { Violation } from '../simulation/violation.js';
import { Choices } from './choices.js';
import { ScriptedContext, type Answers } from './scripted-context.js';
import type { Model, Move } from './search.js';
import { shapeOf } from './shape.js';

/** What of a run of the workflow a run that goes on from it knows. */
type RunFacts = Pick<Run, 'afterReset' | 'resetBefore'> & { readonly id: number; readonly isReset: boolean };

/** Where a run waits: what it would hand on, and what is known of it beside. */
type Waiting = {
  readonly snapshot: string;
  readonly snapshotShape: string;
  readonly needsFreshRun: boolean;
  readonly run: RunFacts;
  readonly stage: string;
};

/** A payment that waits, what the service holds, and the waits before, to each of which it may be reset. */
export type World<Service> = Waiting & {
  readonly now: number;
  readonly until: number | null;
  readonly closed: boolean;
  readonly service: Service;
  readonly runs: number;
  readonly resets: number;
  readonly before: Readonly<Record<string, Waiting>>;
};

/** One step of a lifecycle: what its calls are answered from. */
export type Step<P, Service> = {
  readonly payment: P;
  /** A copy of its own. */
  readonly service: Service;
  readonly choices: Choices;
  readonly clock: { now: number };
  readonly isReset: boolean;
};

/** A command as somebody sends it, and what it means for the service. */
export type SentCommand<Service> = {
  readonly name: CommandName;
  readonly message: object;
  readonly executed?: (service: Service) => void;
  readonly refused?: (service: Service) => void;
};

export type LifecycleBounds = { readonly resets: number };

export const startsAt = Date.UTC(2026, 0, 5, 12);
export const operator = { by: 'ana', reason: 'explored' };

/** A lifecycle of ours, its service and whoever sends it commands, as a graph of worlds. */
export abstract class LifecycleModel<P extends Payment, Service> implements Model<World<Service>> {
  protected abstract readonly workflowId: string;

  constructor(private readonly bounds: LifecycleBounds) {}

  /** @param snapshot as JSON; undefined for the first run */
  protected abstract payment(run: Run, snapshot: string | undefined): P;
  protected abstract lifecycle(ctx: ScriptedContext, payment: P): Promise<void>;
  protected abstract firstService(): Service;
  /** What a step begins with. */
  protected abstract copy(service: Service): Service;
  protected abstract answers(step: Step<P, Service>): Answers;
  protected abstract commands(payment: P, service: Service): SentCommand<Service>[];
  /** What may change at the service by itself. */
  protected abstract changes(world: World<Service>): Iterable<{ name: string; service: Service }>;
  /** @throws Violation */
  protected abstract check(payment: P, service: Service): void;
  /** What is known at a wait, in few words: of all waits with the same words the last is one to reset to. */
  protected abstract known(payment: P): string;

  /** The bodies of postbacks that may come. */
  protected postbacks(_service: Service): string[] {
    return ['{}'];
  }

  /** What of a postback the model keeps beside. */
  protected postbackCame(_service: Service, _body: string): void {
    // Nothing.
  }

  /** What of an acknowledgement the model keeps beside. */
  protected acknowledged(_service: Service): void {
    // Nothing.
  }

  /** What a reset takes back of what the model keeps of commands. */
  protected wasSetBack(_service: Service): void {
    // Nothing.
  }

  async start(): Promise<Move<World<Service>>[]> {
    const run = { id: 1, isReset: false, afterReset: false, resetBefore: null };
    return this.#steps('start', {
      ...{ snapshot: '', snapshotShape: '', needsFreshRun: false, run, stage: '' },
      ...{ now: startsAt, until: null, closed: false, service: this.firstService() },
      ...{ runs: 1, resets: 0, before: {} },
    });
  }

  async moves(world: World<Service>): Promise<Move<World<Service>>[]> {
    if (world.closed) return [];
    const moves: Move<World<Service>>[] = [];
    if (world.until !== null) {
      moves.push(...(await this.#steps('time passes', world, (ctx) => (ctx.timePasses = true))));
    }
    for (const body of this.postbacks(world.service)) {
      const step = await this.#steps(`a postback ${body}`, world, (_, payment, service) => {
        takePostback(payment, { received_at: iso(world.now), content_type: null, body });
        this.postbackCame(service, body);
      });
      moves.push(...step);
    }
    moves.push(
      ...(await this.#steps('a cancel request', world, (ctx) => (ctx.cancelRequested = true))),
      ...(await this.#steps('it goes on in a new run', world, (ctx) => (ctx.runIsLong = true))),
      ...(await this.#commandMoves(world)),
    );
    for (const { name, service } of this.changes(world)) moves.push({ name, world: { ...world, service } });
    if (world.resets < this.bounds.resets) moves.push(...(await this.#resets(world)));
    return moves;
  }

  shape({ before, now, run, service, ...world }: World<Service>): string {
    const until = world.until === null ? '' : shapeOf([world.until], now);
    const { afterReset, isReset, resetBefore } = run;
    return [
      ...[
        world.snapshotShape,
        world.stage,
        until,
        shapeOf({ service }, now),
        Object.keys(before).sort().join(';'),
      ],
      ...[world.needsFreshRun, afterReset, isReset, resetBefore !== null, world.closed, world.resets],
    ].join('\n');
  }

  async #commandMoves(world: World<Service>): Promise<Move<World<Service>>[]> {
    const payment = this.#paymentAt(world, { now: world.now });
    const moves: Move<World<Service>>[] = [];
    for (const command of [...this.commands(payment, world.service), ...acknowledgements(payment)]) {
      const { executed, message, name, refused } = command;
      const sent = { ...operator, ...message };
      if (refusalOf(payment, name, sent) !== undefined) continue;
      const move = `${name} ${JSON.stringify(message)}`;
      if (name === 'acknowledgeAttention' && !namesWhatIsShown(payment, message)) {
        moves.push({ name: move, violation: new Violation('an acknowledgement ends what was shown', move) });
        continue;
      }
      const step = await this.#steps(move, world, (ctx, live, service) => {
        ctx.queue.execute(boundCommand(live, name, sent)).then(
          () => {
            executed?.(service);
            if (name === 'acknowledgeAttention') this.acknowledged(service);
          },
          (reason: unknown) => {
            refused?.(service);
            // A stage that a command is offered in has to have a handler for it.
            if (String(reason).includes(`takes no ${name} now`))
              ctx.fail(new Violation('what is offered is taken', name));
          },
        );
      });
      moves.push(...step);
    }
    return moves;
  }

  async #resets(world: World<Service>): Promise<Move<World<Service>>[]> {
    const moves: Move<World<Service>>[] = [];
    for (const [known, before] of Object.entries(world.before)) {
      const service = this.copy(world.service);
      this.wasSetBack(service);
      const runs = world.runs + 1;
      const run = { ...before.run, id: runs, isReset: true };
      const reset = { ...world, ...before, run, runs, service, resets: world.resets + 1, before: {} };
      moves.push(...(await this.#steps(`a reset to "${known}"`, reset)));
    }
    return moves;
  }

  /** Lets something come to the workflow, and goes each way that the calls which follow from it can go. */
  async #steps(
    name: string,
    world: World<Service>,
    come: (ctx: ScriptedContext, payment: P, service: Service) => void = () => undefined,
  ): Promise<Move<World<Service>>[]> {
    const moves: Move<World<Service>>[] = [];
    for (let choices: Choices | undefined = new Choices(); choices !== undefined; choices = choices.next()) {
      let made: { world: World<Service> } | { violation: Violation };
      try {
        made = { world: await this.#step(world, choices, come) };
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        made = { violation: error };
      }
      moves.push({ name: [name, ...choices.names].join(', '), ...made });
    }
    return moves;
  }

  async #step(
    from: World<Service>,
    choices: Choices,
    come: (ctx: ScriptedContext, payment: P, service: Service) => void,
  ): Promise<World<Service>> {
    const clock = { now: from.now };
    const service = this.copy(from.service);
    let at: Waiting = from;
    let { runs } = from;
    for (;;) {
      const payment = this.#paymentAt(at, clock);
      const answers = this.answers({ payment, service, choices, clock, isReset: at.run.isReset });
      const ctx = new ScriptedContext(payment, clock, answers);
      if (at === from) come(ctx, payment, service);
      const halt = await ctx.live(() => this.lifecycle(ctx, payment));
      const waiting = this.#waitingAt(payment, at, clock.now);
      if (halt.kind === 'continues_as_new') {
        runs += 1;
        at = { ...waiting, needsFreshRun: false, run: continued(at.run, runs) };
        continue;
      }
      checkAll(payment);
      this.check(payment, service);
      const before =
        from.resets < this.bounds.resets ? { ...from.before, [this.known(payment)]: waiting } : from.before;
      const until = halt.kind === 'waits' && halt.until !== Infinity ? halt.until : null;
      return {
        ...from,
        ...waiting,
        now: clock.now,
        until,
        closed: halt.kind === 'ended',
        service,
        runs,
        before,
      };
    }
  }

  #waitingAt(payment: P, { run }: Waiting, now: number): Waiting {
    payment.record.data.timeline.length = 0;
    const snapshot = payment.snapshot();
    return {
      snapshot: JSON.stringify(snapshot),
      snapshotShape: shapeOf(snapshot, now),
      needsFreshRun: payment.needsFreshRun,
      // That the run before was a reset is acted upon as a run begins.
      run: { ...run, resetBefore: null },
      stage: stageOf(payment),
    };
  }

  #paymentAt({ needsFreshRun, run, snapshot }: Waiting, clock: { now: number }): P {
    const { afterReset, id, resetBefore } = run;
    const facts: Run = {
      ...{ workflowId: this.workflowId, runId: `run-${String(id)}`, startedAt: startsAt },
      ...{ afterReset, resetBefore, owner: null, startedOnce: true },
      now: () => clock.now,
      random: () => 0.5,
      start: { attempt: 1, hasRetryPolicy: false, hasCronSchedule: false, hasTimeout: false },
    };
    const payment = this.payment(facts, snapshot === '' ? undefined : snapshot);
    payment.needsFreshRun = needsFreshRun;
    return payment;
  }
}

function continued({ afterReset, id, isReset }: RunFacts, runs: number): RunFacts {
  return {
    id: runs,
    isReset: false,
    afterReset: afterReset || isReset,
    resetBefore: isReset ? `run-${String(id)}` : null,
  };
}

function stageOf({ stages, takes }: Payment): string {
  return Object.keys(stages).find((name) => stages[name] === takes) ?? '';
}

/** Operators acknowledge what they were shown, which may be another attention than the one that is shown now. */
function acknowledgements(payment: Payment): SentCommand<unknown>[] {
  if (acknowledgeRefusal(payment.record.attention) !== undefined) return [];
  return attentions.map((attention) => ({ name: 'acknowledgeAttention', message: { attention } }));
}

function namesWhatIsShown({ record }: Payment, message: object): boolean {
  return 'attention' in message && message.attention === record.attention;
}

/** What must hold of every payment at every wait. */
function checkAll(payment: Payment): void {
  const { attention, serviceId } = payment.record;
  if (attention !== 'submission_unknown' || payment.commands.length === 0) return;
  const findings = [{ nothing_happened: true }, { service_id: serviceId ?? '1' }];
  const refusals = findings.map((finding) =>
    refusalOf(payment, 'resolveSubmission', { ...operator, ...finding }),
  );
  if (refusals.includes(undefined)) return;
  throw new Violation('an operator who is asked can act', refusals.map(String).join(' '));
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
