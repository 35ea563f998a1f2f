/** What a read of the service came to. */
export type Read<Reading> =
  { kind: 'read'; reading: Reading } | { kind: 'not_found' } | { kind: 'unreadable'; reason: string };

export function readOf<Reading>(called: Called<Reading>): Read<Reading> {
  switch (called.kind) {
    case 'completed':
      return { kind: 'read', reading: called.result };
    case 'failed':
      return called.type === 'NotFound'
        ? { kind: 'not_found' }
        : { kind: 'unreadable', reason: called.message };
    case 'timed_out':
      return { kind: 'unreadable', reason: 'No worker answered in time.' };
  }
}

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
