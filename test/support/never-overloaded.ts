/**
 * Limits of a gateway that shares its event loop with the workers and the sandbox of a test: it turns nobody away. Not
 * even a high limit does: where a second passes without a sample, the delay counts as endless.
 */
export const neverOverloaded = { eventLoopDelayMs: 0 };
