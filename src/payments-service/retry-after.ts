const maxWaitMs = 3_600_000;
const httpDate = /^[A-Za-z]{3,9},? [\w: -]+ GMT$/;

/** The wait that a Retry-After header requests, in milliseconds, an hour at most; null when it is not readable. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : undefined;
  const dateMs = httpDate.test(text) ? Date.parse(text) : NaN;
  const waitMs = seconds === undefined ? dateMs - nowMs : seconds * 1_000;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), maxWaitMs);
}
