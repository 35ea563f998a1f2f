/** What rules may know of the run. The same in every replay. */
export type Run = {
  readonly workflowId: string;
  /** Of this very run: a reset has another one, so whatever carries it is not taken for the same. */
  readonly runId: string;
  /** As Temporal keeps it through a reset. */
  readonly originalRunId: string;
  /** Of the first run of this execution. */
  readonly firstRunId: string;
  /**
   * Whether this very run came about by a reset. For what is shown alone: what it decided before the moment that it goes
   * back to is repeated, and must not depend on it.
   */
  readonly isReset: boolean;
  /** When the payment began, in its first run: milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether a run before this one came about by a reset: attempts may exist of which this run knows nothing. */
  readonly afterReset: boolean;
  /** The run before this one when that very run came about by a reset; null otherwise. */
  readonly resetBefore: string | null;
  /** Who started the payment through a gateway: the name of an API key. Null for a bare SDK. */
  readonly owner: string | null;
  /** Whether its start itself ruled out an earlier run of its id. */
  readonly startedOnce: boolean;
  now(): number;
  /** In [0, 1), for jitter. */
  random(): number;
  /** What in the way this workflow was started would break "one payment under one id"; undefined when nothing does. */
  readonly start: {
    attempt: number;
    hasRetryPolicy: boolean;
    hasCronSchedule: boolean;
    hasTimeout: boolean;
  };
};
