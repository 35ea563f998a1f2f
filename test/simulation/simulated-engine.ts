import type { Called } from '../../src/domain/called.js';
import type { CallName, How, InputOf, ResultOf } from '../../workflows/shared/engine.js';
import { QuietEngine } from '../support/quiet-engine.js';
import { halted, type Driver, type Halt } from './driver.js';
import { simulatedActivities, type SimulatedActivities } from './simulated-activities.js';

/** Handlers under way end within it. */
const mostHandlingMs = 300;

/** From a second to more than two hours; the same in a replay. */
function turnMs(now: number): number {
  return 1_000 * 2 ** (now % 14);
}

type Calls = Extract<Halt, { kind: 'calls' }>['calls'];

/** On a virtual clock, one lifecycle in a plain process. */
export class SimulatedEngine extends QuietEngine {
  readonly #activities: SimulatedActivities;
  #turnAt: number | undefined;
  /** Calls that are made at once. */
  #calls: Calls = [];

  constructor(
    private readonly driver: Driver,
    runId: string,
  ) {
    super();
    this.#activities = simulatedActivities(driver, runId);
  }

  sleepUntil(at: number, wakes: () => boolean, awaiting: string): Promise<void> {
    return halted(this.driver, (go) => ({ kind: 'wait', at, wakes, awaiting, go }));
  }

  /** The place in the line is kept until it is reached. */
  override async sleepUntilTurn(at: number, wakes: () => boolean, awaiting: string): Promise<boolean> {
    const now = this.driver.now();
    const turnAt = (this.#turnAt ??= now + turnMs(now));
    await this.sleepUntil(Math.min(at, turnAt), wakes, awaiting);
    const hasCome = this.driver.now() >= turnAt;
    if (hasCome) this.#turnAt = undefined;
    return hasCome;
  }

  async call<Name extends CallName>(
    name: Name,
    input: InputOf<Name>,
    { summary }: How,
  ): Promise<Called<ResultOf<Name>>> {
    const begunAt = this.driver.now();
    const { seen, start } = this.#activities[name](input);
    const ended = await new Promise<Called<ResultOf<Name>>>((resolve) => {
      // What a halt goes on with is what its own calls were answered.
      this.#calls.push({
        doing: summary,
        start,
        go: resolve as Calls[number]['go'],
      });
      if (this.#calls.length === 1)
        queueMicrotask(() => {
          this.#halt();
        });
    });
    const called = { ...ended, tookMs: this.driver.now() - begunAt };
    seen?.(called);
    return called;
  }

  needsNewRun(): boolean {
    return this.driver.suggestsContinueAsNew();
  }

  /** Somebody may still be answered, and may command something meanwhile. */
  override settled(wakes: () => boolean): Promise<void> {
    if (this.driver.isClosed()) return Promise.resolve();
    const at = this.driver.now() + this.driver.random() * mostHandlingMs;
    return halted(this.driver, (go) => ({ kind: 'handlers_end', at, wakes, awaiting: 'its handlers', go }));
  }

  /** The lifecycle ends here; a fresh one begins with its snapshot. */
  newRun(): Promise<never> {
    return halted(this.driver, () => ({ kind: 'continue_as_new' }));
  }

  /** The lifecycle stands still until all calls that it has made at once were answered. */
  #halt(): void {
    const calls = this.#calls;
    this.#calls = [];
    this.driver.halt({ kind: 'calls', calls });
  }
}
