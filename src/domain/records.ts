/** Any JSON value as an object whose fields are unknown; what is none has no fields. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
