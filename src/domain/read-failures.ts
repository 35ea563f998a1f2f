/** The types of the failures that reading activities throw: what the service, or the lack of a token, has made of a read. */
export const readFailureTypes = [
  'NotFound',
  'Refused',
  'Unauthorized',
  'Throttled',
  'NotSent',
  'Unreadable',
  'NoToken',
] as const;
export type ReadFailureType = (typeof readFailureTypes)[number];
