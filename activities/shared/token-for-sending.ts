import type { ServiceToken, TokenSource } from '../../src/payments-service/token-source.js';

/**
 * A token that the service has not rejected as far as we know; undefined when there is none now. A token of
 * another generation than the rejected one is what the source has after it knows of the rejection.
 */
export async function tokenForSending(
  tokens: TokenSource,
  rejectedGeneration: number | null,
): Promise<ServiceToken | undefined> {
  try {
    const token = await tokens.current();
    if (rejectedGeneration === null || token.generation > rejectedGeneration) return token;
    await tokens.reject(rejectedGeneration);
    const renewed = await tokens.current();
    return renewed.generation === rejectedGeneration ? undefined : renewed;
  } catch {
    return undefined;
  }
}
