import type { ReadingDeps } from './shared/deps.js';
import { readService } from './shared/read-service.js';

/** The token that starts the 3D Secure flow in the customer's browser. It is no access token. */
export type ReadThreeDSecureTokenResult = { token: string };

/**
 * Gets a token for the browser's 3D Secure flow (`GET /v1/3ds/token`).
 *
 * Safe to retry: the worst is one token more.
 */
export const readThreeDSecureToken = (deps: ReadingDeps) => (): Promise<ReadThreeDSecureTokenResult> =>
  readService(deps, 'GET /v1/3ds/token', (service, call) => service.readThreeDSecureToken(call));
