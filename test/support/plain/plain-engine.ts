import { creatingActivity } from '../../../src/domain/call-limits.js';
import type { StatusHint } from '../../../src/contract/messages.js';
import type { Called } from '../../../src/domain/called.js';
import type { CallName, How, InputOf, ResultOf } from '../../../workflows/shared/engine.js';
import type { Run } from '../../../workflows/shared/run.js';
import { firstDispatch } from '../../activities/support.js';
import { calledOf, type Activities } from '../called.js';
import { QuietEngine } from '../quiet-engine.js';
import type { World } from './world.js';

/** An engine in this process: the real activities, virtual time, no Temporal. Nothing is ever reset. */
export class PlainEngine extends QuietEngine {
  /** @param cardQueue of the only gateway that lives */
  constructor(
    private readonly run: Run,
    private readonly world: World,
    private readonly activities: Activities,
    private readonly cardQueue: string,
    private readonly hintPayment: (workflowId: string, hint: StatusHint) => void,
  ) {
    super();
  }

  sleepUntil(at: number, wakes: () => boolean): Promise<void> {
    return this.world.sleepUntil(() => (wakes() ? -Infinity : at));
  }

  async call<Name extends CallName>(
    name: Name,
    input: InputOf<Name>,
    { taskQueue = this.cardQueue }: How,
  ): Promise<Called<ResultOf<Name>>> {
    const { activities, run, world } = this;
    if (taskQueue !== this.cardQueue) {
      const tookMs = creatingActivity.scheduleToStartMs;
      const goneAt = world.now + tookMs;
      await world.sleepUntil(() => goneAt);
      return { kind: 'timed_out', how: 'never_started', heartbeat: undefined, tookMs };
    }
    const { runId, workflowId } = run;
    const dispatch = firstDispatch({ workflowExecution: { workflowId, runId } });
    const make = () => world.call(() => dispatch.run(activities[name], input));
    return calledOf<ResultOf<Name>>(make, () => world.now);
  }

  override hint(workflowId: string, hint: StatusHint): Promise<void> {
    this.hintPayment(workflowId, hint);
    return Promise.resolve();
  }

  /** Nothing makes it necessary here: neither a long history nor a reset. */
  needsNewRun(): boolean {
    return false;
  }

  newRun(): Promise<never> {
    throw new Error('Nothing goes on in a new run here.');
  }
}
