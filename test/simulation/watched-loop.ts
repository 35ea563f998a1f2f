import type { Stage } from '../../src/domain/stage-table.js';
import type { AnyTakes } from '../../workflows/shared/commands.js';
import type { AnyWaiting, Woke } from '../../workflows/shared/context.js';
import { Loop } from '../../workflows/shared/loop.js';

/** The loop that ships, which shows what the stage that waits does with commands. */
export class WatchedLoop extends Loop {
  takes: AnyTakes = {};

  override wait(stage: Stage, waiting: AnyWaiting): Promise<Woke> {
    this.takes = waiting.takes ?? {};
    return super.wait(stage, waiting);
  }
}
