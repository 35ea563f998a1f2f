/** The outcome of a call that was handed to a worker, and how long it took. */
export type Called<Result> = { readonly tookMs: number } & (
  | { readonly kind: 'completed'; readonly result: Result }
  | { readonly kind: 'failed'; readonly type: string; readonly message: string }
  /** No worker took it up in time, or none answered; `heartbeat` is the last one. */
  | {
      readonly kind: 'timed_out';
      readonly how: 'never_started' | 'no_answer' | 'no_heartbeat';
      readonly heartbeat: unknown;
    }
);
