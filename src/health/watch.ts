import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerClock } from '../temporal/server-clock.js';
import { viewFleet, type FleetTarget, type FleetView } from './fleet.js';
import type { HealthCheck, HealthProblem } from './problem.js';

/** With the fifteen seconds that an answer may take: what stalls is seen within a minute. */
const everyMs = 20_000;
/** While all of a deployment starts, much is not there yet. */
const reportAfterMs = 30_000;

/** What is wrong with the system, as it was seen last. */
export type HealthWatch = {
  /** Null before the first look has ended. */
  latest(): { readonly view: FleetView; readonly checkedAt: Date } | null;
  stop(): Promise<void>;
};

export type WatchOptions = {
  readonly target: FleetTarget;
  /** Measured with each check. */
  readonly clock: ServerClock;
  /** Fetches an access token: with it there is a `tokenRenewal` to look at, before the first payment needs one. */
  readonly needToken: () => Promise<unknown>;
  /** Once when a problem stays, and once when it is gone. */
  readonly onChange: (problem: HealthProblem, now: 'found' | 'gone') => void;
  readonly onView: (view: FleetView) => void;
};

/** Looks at the system again and again, however often somebody wants to know. */
export function watchHealth({ target, clock, needToken, onChange, onView }: WatchOptions): HealthWatch {
  const stopping = new AbortController();
  let latest: { view: FleetView; checkedAt: Date } | null = null;
  const changes = new ProblemChanges(onChange);

  const look = async () => {
    const view = await target.client.withAbortSignal(stopping.signal, () => viewFleet(target, clock));
    if (stopping.signal.aborted) return;
    if (view.hasTokenRenewal === false) void needToken().catch(() => undefined);
    changes.see(view.problems);
    latest = { view, checkedAt: new Date() };
    onView(view);
  };
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await look().catch(() => undefined);
      await sleep(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    latest: () => latest,
    stop: async () => {
      stopping.abort();
      await looking;
    },
  };
}

/** Which problems stay, and which of those are gone. */
class ProblemChanges {
  readonly #seen = new Map<HealthCheck, { problem: HealthProblem; since: number; reported: boolean }>();

  constructor(private readonly onChange: WatchOptions['onChange']) {}

  see(problems: readonly HealthProblem[]): void {
    const now = Date.now();
    for (const problem of problems) {
      const known = this.#seen.get(problem.check) ?? { problem, since: now, reported: false };
      if (!known.reported && now - known.since >= reportAfterMs) {
        known.reported = true;
        this.onChange(problem, 'found');
      }
      this.#seen.set(problem.check, known);
    }
    for (const [check, { problem, reported }] of this.#seen) {
      if (problems.some((other) => other.check === check)) continue;
      this.#seen.delete(check);
      if (reported) this.onChange(problem, 'gone');
    }
  }
}
