const longestWaitSeconds = 30;

/**
 * The wait in milliseconds that `Prefer: wait=N` (RFC 7240) requests, at most 30 seconds; 0 for `respond-async` alone;
 * undefined where neither is named.
 */
export function preferredWaitMs(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?(?=$|[,;\s])/i.exec(text) ?? [];
  if (seconds !== undefined) return Math.min(Number(seconds), longestWaitSeconds) * 1_000;
  return /(?:^|[,;\s])respond-async(?=$|[,;\s])/i.test(text) ? 0 : undefined;
}
