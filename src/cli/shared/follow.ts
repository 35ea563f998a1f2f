import { setTimeout as sleep } from 'node:timers/promises';
import { TemporalUnavailableError } from '../../client.js';

const lookEveryMs = 1_000;

/** The exit code of a command that Ctrl-C has ended. */
export const interrupted = 130;

/**
 * Looks at something each second until it is over, or until Ctrl-C, which ends the looking alone: it looks once more,
 * and a second Ctrl-C ends the program at once. Returns what was seen last; undefined when Temporal and the workers have
 * not answered: they come back, so it goes on.
 */
export async function follow<State>(
  look: () => Promise<State>,
  isOver: (state: State) => boolean,
  show: (state: State) => void = () => undefined,
): Promise<State | undefined> {
  const leaving = new AbortController();
  const leave = () => {
    leaving.abort();
  };
  process.once('SIGINT', leave);
  let state: State | undefined;
  try {
    while (!leaving.signal.aborted) {
      state = (await look().catch(unlessUnavailable)) ?? state;
      if (state !== undefined) show(state);
      if (state !== undefined && isOver(state)) break;
      await sleep(lookEveryMs, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  } finally {
    process.removeListener('SIGINT', leave);
  }
  if (leaving.signal.aborted) state = (await look().catch(unlessUnavailable)) ?? state;
  return state;
}

function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof TemporalUnavailableError)) throw error;
}
