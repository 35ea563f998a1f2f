import { inject } from 'vitest';

/** What `Worker.create` and `replayAfter` need to run the project's workflows. */
export function workflowBundle(): { codePath: string } {
  return { codePath: inject('workflowBundlePath') };
}
