import type { StatusHint } from '../../src/contract/messages.js';
import type { Called } from '../../src/domain/called.js';
import type { CallName, Engine, How, InputOf, ResultOf } from '../../workflows/shared/engine.js';

/** {@link Engine} without Temporal: nobody else is there who searches, is hinted at, waits in a line or is handed over to. */
export abstract class QuietEngine implements Engine {
  abstract sleepUntil(at: number, wakes: () => boolean, awaiting: string): Promise<void>;
  abstract call<Name extends CallName>(
    name: Name,
    input: InputOf<Name>,
    how: How,
  ): Promise<Called<ResultOf<Name>>>;
  abstract needsNewRun(): boolean;
  abstract newRun(): Promise<never>;

  sleepUntilTurn(_at: number, _wakes: () => boolean, _awaiting: string): Promise<boolean> {
    return Promise.resolve(true);
  }

  hint(_workflowId: string, _hint: StatusHint): Promise<void> {
    return Promise.resolve();
  }

  publish(): void {
    // Nobody searches here.
  }

  settled(_wakes: () => boolean): Promise<void> {
    return Promise.resolve();
  }

  handOver(): Promise<void> {
    return Promise.resolve();
  }
}
