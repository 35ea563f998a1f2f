const longestWaitSeconds = 30;

/** The wait in milliseconds that `Prefer: wait=N` (RFC 7240) requests, at most 30 seconds; 0 without one. */
export function preferredWaitMs(header: string | string[] | undefined): number {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?(?=$|[,;\s])/i.exec(text) ?? [];
  return Math.min(Number(seconds ?? 0), longestWaitSeconds) * 1_000;
}
