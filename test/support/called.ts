import { ApplicationFailure } from '@temporalio/common';
import type { Called } from '../../src/domain/called.js';
import type { CallName, InputOf, ResultOf } from '../../workflows/shared/engine.js';

/** A function for each call of a lifecycle, which throws an ApplicationFailure where an activity does. */
export type Activities = {
  readonly [Name in CallName]: (input: InputOf<Name>) => Promise<ResultOf<Name>>;
};

/** What becomes of a call, as an engine on Temporal returns it. */
export async function calledOf<Result>(
  make: () => Promise<Result>,
  now: () => number,
): Promise<Called<Result>> {
  const begunAt = now();
  try {
    const result = await make();
    return { kind: 'completed', result, tookMs: now() - begunAt };
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    return { kind: 'failed', type: error.type ?? '', message: error.message, tookMs: now() - begunAt };
  }
}
