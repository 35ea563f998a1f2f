/** Limits of a gateway that shares its event loop with the workers and the sandbox of a test: it turns nobody away. */
export const neverOverloaded = { eventLoopDelayMs: 600_000 };
