const withOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i;
const withoutOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/**
 * The latest instant that a timestamp of the service can mean, in milliseconds: without an offset it is read as
 * the last time zone to get there. Undefined when it is no time.
 */
export function latestInstantMs(timestamp: string | null): number | undefined {
  if (timestamp === null) return undefined;
  const text = withoutOffset.test(timestamp) ? `${timestamp}-12:00` : timestamp;
  const instantMs = withOffset.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(instantMs) ? undefined : instantMs;
}

/** The instant of a timestamp of the service, in milliseconds: without an offset it is read as UTC. Undefined when it is no time. */
export function utcInstantMs(timestamp: string | null): number | undefined {
  if (timestamp === null) return undefined;
  return latestInstantMs(withoutOffset.test(timestamp) ? `${timestamp}Z` : timestamp);
}
