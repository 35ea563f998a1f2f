/** Of Temporal's server: the newest release when this was written. */
export const serverVersion = 'v1.32.2';
