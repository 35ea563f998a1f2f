import { Worker, type ReplayResult } from '@temporalio/worker';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { testWorkflowDataConverter } from './temporal-data-converter.js';

type Bundle = { readonly codePath: string };
type Recorded = { readonly workflowId: string; readonly history: History };

const replayers = new Map<string, Replayer>();

/** Repeats a history on the code of a bundle; answers why that code can't repeat it. */
export function replay(workflowBundle: Bundle, recorded: Recorded): Promise<Error | undefined> {
  const { codePath } = workflowBundle;
  const replayer = replayers.get(codePath) ?? new Replayer(workflowBundle);
  replayers.set(codePath, replayer);
  return replayer.replay(recorded);
}

/** Ends the workers of a test file. */
export async function closeReplayers(): Promise<void> {
  for (const replayer of replayers.values()) await replayer.close();
  replayers.clear();
}

/** One worker for all histories of a test file: to start one takes longer than to repeat a history. */
class Replayer {
  readonly #given: Recorded[] = [];
  #results: AsyncIterator<ReplayResult> | undefined;

  constructor(private readonly workflowBundle: Bundle) {}

  async replay(recorded: Recorded): Promise<Error | undefined> {
    const { workflowBundle } = this;
    const options = { workflowBundle, dataConverter: testWorkflowDataConverter };
    this.#results ??= Worker.runReplayHistories(options, this.#histories());
    this.#given.push(recorded);
    const result = await this.#results.next();
    if (result.done === true) throw new Error('The worker that replays has ended.');
    const { error } = result.value;
    // The next history begins on a worker that has seen no fault.
    if (error !== undefined) await this.close();
    return error;
  }

  async close(): Promise<void> {
    const results = this.#results;
    this.#results = undefined;
    await results?.return?.();
  }

  *#histories(): Iterable<Recorded> {
    for (let next = this.#given.shift(); next !== undefined; next = this.#given.shift()) yield next;
  }
}
