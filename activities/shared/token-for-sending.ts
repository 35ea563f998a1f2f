import type { ServiceToken, TokenSource } from '../../src/payments-service/token-source.js';

/** A token that the service has not rejected as far as we know; undefined when there is none now. */
export async function tokenForSending(
  tokens: TokenSource,
  rejectedGeneration: number | null,
): Promise<ServiceToken | undefined> {
  try {
    const token = await tokens.current();
    if (rejectedGeneration === null || token.generation > rejectedGeneration) return token;
    await tokens.reject(token.generation);
    const renewed = await tokens.current();
    return renewed.generation > rejectedGeneration ? renewed : undefined;
  } catch {
    return undefined;
  }
}
